import type { ComponentType } from 'react'
import { data, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { apiContext } from './lib/api-context.ts'
import type { RootData } from './lib/root-data.ts'
import { loadBrowse } from './features/catalogue/load-browse.ts'
import { loadGiveaways } from './features/giveaways/load-giveaways.ts'
import { loadPopular } from './features/popular/load-popular.ts'
import { loadScript } from './features/scripts/load-script.ts'
import { NotFound } from './features/errors/not-found.tsx'
import { RouteFailure } from './features/errors/route-failure.tsx'
import { loadShowcases } from './features/showcases/load-showcases.ts'
import { loadApi } from './features/site/load-api.ts'
import { Root, RootFailure } from './root.tsx'

type PageModule = { Component: ComponentType }

// The id is the source's path: by it the server finds the page's chunk in Vite's manifest.
function page(id: string, load: () => Promise<PageModule>, rest: Pick<RouteObject, 'path' | 'loader'>): RouteObject {
  // Its own boundary keeps the document standing: drawn anew in the browser, the script in its head would be refused.
  return { id, ...rest, ErrorBoundary: RouteFailure, lazy: { Component: async () => (await load()).Component } }
}

async function loadRoot({ context }: LoaderFunctionArgs): Promise<RootData> {
  return { site: await context.get(apiContext)('GET /api/site'), now: new Date().toISOString() }
}

const answerNotFound = () => data(null, { status: 404 })

/** Every address of the site. */
export const routes: RouteObject[] = [
  {
    id: 'root',
    Component: Root,
    ErrorBoundary: RootFailure,
    loader: loadRoot,
    shouldRevalidate: () => false,
    children: [
      // Both / and /scripts.
      page('web/features/catalogue/browse-page.tsx', () => import('./features/catalogue/browse-page.tsx'), {
        path: '/scripts?',
        loader: loadBrowse,
      }),
      page('web/features/scripts/script-page.tsx', () => import('./features/scripts/script-page.tsx'), {
        path: '/scripts/:slug',
        loader: loadScript,
      }),
      page('web/features/popular/popular-page.tsx', () => import('./features/popular/popular-page.tsx'), {
        path: '/popular',
        loader: loadPopular,
      }),
      page('web/features/showcases/showcases-page.tsx', () => import('./features/showcases/showcases-page.tsx'), {
        path: '/showcases',
        loader: loadShowcases,
      }),
      page('web/features/giveaways/giveaways-page.tsx', () => import('./features/giveaways/giveaways-page.tsx'), {
        path: '/giveaways',
        loader: loadGiveaways,
      }),
      page('web/features/giveaways/draw-page.tsx', () => import('./features/giveaways/draw-page.tsx'), {
        path: '/giveaways/:id/draw',
      }),
      page('web/features/upload/upload-page.tsx', () => import('./features/upload/upload-page.tsx'), {
        path: '/upload',
      }),
      page('web/features/legal/privacy-page.tsx', () => import('./features/legal/privacy-page.tsx'), {
        path: '/privacy',
      }),
      page('web/features/legal/terms-page.tsx', () => import('./features/legal/terms-page.tsx'), { path: '/terms' }),
      page('web/features/site/chat-page.tsx', () => import('./features/site/chat-page.tsx'), { path: '/discord' }),
      page('web/features/site/api-docs-page.tsx', () => import('./features/site/api-docs-page.tsx'), {
        path: '/api/docs',
        loader: loadApi,
      }),
      { id: 'not-found', path: '*', loader: answerNotFound, Component: NotFound },
    ],
  },
]
