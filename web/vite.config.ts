import { defineConfig } from "vitest/config";
import { base, paths } from "./further_pages";

// The program embeds the built files under fixed names and sends an ETag with each, so names carry no hash.
const notices = `/*! Footfall dashboard. Contains Preact (MIT, (c) 2015-present Jason Miller)
and uPlot (MIT, (c) 2022 Leon Sorokin). */`;

export default defineConfig({
  ...base,
  plugins: [...base.plugins, paths],
  build: {
    target: ["chrome109", "firefox115", "safari16.4"],
    cssCodeSplit: false,
    modulePreload: false,
    // A data: address would need its own exception in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rollupOptions: {
      output: {
        entryFileNames: "app.js",
        assetFileNames: "app[extname]",
        inlineDynamicImports: true,
        banner: notices,
      },
    },
  },
  server: {
    ...base.server,
    proxy: {
      "/api": "http://127.0.0.1:8080",
      "/render": "http://127.0.0.1:8080",
      "/metrics": "http://127.0.0.1:8080",
    },
  },
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    // One worker: these tests take milliseconds, starting more takes longer than running them.
    pool: "threads",
    poolOptions: { threads: { singleThread: true } },
  },
});
