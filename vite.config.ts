import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// The server sends the .br or .gz beside each file: top quality costs nothing at the time of a request.
const precompress: Plugin = {
  name: 'precompress',
  apply: 'build',
  writeBundle({ dir }) {
    if (!dir) return
    const assets = path.join(dir, 'assets')
    for (const name of readdirSync(assets)) {
      if (!/\.(js|css|svg|json)$/.test(name)) continue
      const bytes = readFileSync(path.join(assets, name))
      writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(bytes))
      writeFileSync(path.join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}

export default defineConfig(({ isSsrBuild }) => ({
  appType: 'custom',
  publicDir: isSsrBuild ? false : 'web/static',
  plugins: [react(), tailwindcss(), ...(isSsrBuild ? [] : [precompress])],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    target: 'es2023',
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: ['web/entry.client.tsx', 'web/styles.css', 'web/theme.ts'],
          output: {
            codeSplitting: {
              groups: [
                { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|react-router|cookie-es)\// },
                // What several pages share comes in one file: many small ones compress worse.
                {
                  name: 'shared',
                  test: /\/web\/(lib|ui|components)\/(?!.*(legal|text))|lucide-react|\/contract\//,
                  minShareCount: 2,
                },
              ],
            },
          },
        },
  },
}))
