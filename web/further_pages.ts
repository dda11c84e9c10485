// Pages of other folders in the dashboard: FOOTFALL_PAGES names their files, as FILE:FILE (cmake/dashboard.cmake gives it).
//
// `virtual:pages` has what they export, for src/pages.ts. They reach the dashboard's own modules as `@dashboard/...`, and its
// packages by name. Where the pages are found, `pages.txt` beside the bundle tells the program: a path a line.

import { runnerImport, type Plugin, type UserConfig } from "vite";

declare const process: { env: Readonly<Record<string, string | undefined>> };

const root = new URL(".", import.meta.url).pathname;
const files = (process.env.FOOTFALL_PAGES ?? "").split(":").filter((file) => file !== "");

const name = "virtual:pages";
const id = `\0${name}`;

const source: Plugin = {
  name: "further-pages",
  enforce: "pre",
  resolveId(asked, importer) {
    if (asked === name) return id;
    const byName = /^[a-z@]/.test(asked) && !asked.startsWith("virtual:");
    const further = importer !== undefined && !importer.startsWith(root) && importer !== id;
    return further && byName ? this.resolve(asked, `${root}index.html`, { skipSelf: true }) : null;
  },
  load(asked) {
    if (asked !== id) return null;
    const imports = files.map((file, i) => `import page${i} from ${JSON.stringify(file)};`);
    return `${imports.join("\n")}\nexport default [${files.map((_, i) => `page${i}`).join(", ")}];`;
  },
};

/** What a build and tests of pages, ours or further ones, need alike. */
export const base = {
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "inline" },
  resolve: { alias: { "@dashboard": `${root}src` } },
  plugins: [source],
  server: { fs: { allow: [root, ...files.map((file) => file.replace(/[^/]*$/, ""))] } },
} satisfies UserConfig;

/** For whom evaluates modules without a browser: styles are of no account then. */
const unstyled: Plugin = {
  name: "unstyled",
  enforce: "pre",
  resolveId: (asked) => (asked.endsWith(".css") ? "\0unstyled" : null),
  load: (asked) => (asked === "\0unstyled" ? "" : null),
};

/** Evaluates the list of pages, so two that have the same path fail the build. */
export const paths: Plugin = {
  name: "paths-of-pages",
  apply: "build",
  async generateBundle() {
    const { module } = await runnerImport<typeof import("./src/pages")>(`${root}src/pages.ts`, {
      ...base, plugins: [...base.plugins, unstyled], root, configFile: false,
    });
    this.emitFile({ type: "asset", fileName: "pages.txt", source: module.pages.map(({ path }) => `${path}\n`).join("") });
  },
};
