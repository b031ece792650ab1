import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The page is embedded in the server and served under a strict content security policy:
// nothing inline, nothing from elsewhere.
const server = process.env.FLAGPLOT_SERVER ?? 'http://127.0.0.1:7070';

export default defineConfig({
  plugins: [svelte()],
  build: {
    // Beside the server, which packs it, so that a packed crate brings it along.
    outDir: '../crates/server/client',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': server } },
  preview: { proxy: { '/api': server } },
  test: { include: ['src/**/*.test.ts'] },
});
