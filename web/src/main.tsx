import { render } from "preact";
import { App } from "./app";
import { listenForKeys } from "./keys";
import { showTheme } from "./theme";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/figures.css";
import "./styles/series.css";
import "./styles/tables.css";
import "./styles/views.css";
import "./styles/ads.css";
import "./styles/dialog.css";
import "./styles/sign_in.css";

showTheme();
listenForKeys();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
