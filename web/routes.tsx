import type { ComponentType } from 'react'
import { data, type LoaderFunction, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { apiContext } from '#web/lib/api-context.ts'
import type { RootData } from '#web/lib/root-data.ts'
import { NotFoundPage } from '#web/features/errors/not-found.tsx'
import { RouteErrorPage } from '#web/features/errors/route-failure.tsx'
import { Root, RootError } from './root.tsx'

type PageModule = { Component: ComponentType }
type LoadingPageModule = PageModule & { loader: LoaderFunction }

// The id is the source's path: by it the server finds the page's chunk in Vite's manifest.
function page(id: string, load: () => Promise<PageModule>, path: string): RouteObject {
  // Its own boundary keeps the document standing: drawn anew in the browser, the script in its head would be refused.
  return { id, path, ErrorBoundary: RouteErrorPage, lazy: { Component: async () => (await load()).Component } }
}

/** A page whose loader comes with its code, so that no other page carries it. */
function loadingPage(id: string, load: () => Promise<LoadingPageModule>, path: string): RouteObject {
  const lazy = { Component: async () => (await load()).Component, loader: async () => (await load()).loader }
  return { id, path, ErrorBoundary: RouteErrorPage, lazy }
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
    ErrorBoundary: RootError,
    loader: loadRoot,
    shouldRevalidate: () => false,
    children: [
      loadingPage(
        'web/features/catalogue/browse-page.tsx',
        () => import('#web/features/catalogue/browse-page.tsx'),
        // Both / and /scripts.
        '/scripts?',
      ),
      loadingPage(
        'web/features/scripts/script-page.tsx',
        () => import('#web/features/scripts/script-page.tsx'),
        '/scripts/:slug',
      ),
      loadingPage(
        'web/features/popular/popular-page.tsx',
        () => import('#web/features/popular/popular-page.tsx'),
        '/popular',
      ),
      loadingPage(
        'web/features/showcases/showcases-page.tsx',
        () => import('#web/features/showcases/showcases-page.tsx'),
        '/showcases',
      ),
      loadingPage(
        'web/features/giveaways/giveaways-page.tsx',
        () => import('#web/features/giveaways/giveaways-page.tsx'),
        '/giveaways',
      ),
      page(
        'web/features/giveaways/draw-page.tsx',
        () => import('#web/features/giveaways/draw-page.tsx'),
        '/giveaways/:id/draw',
      ),
      page('web/features/upload/upload-page.tsx', () => import('#web/features/upload/upload-page.tsx'), '/upload'),
      page('web/features/members/me-page.tsx', () => import('#web/features/members/me-page.tsx'), '/profile/me'),
      page(
        'web/features/members/settings-page.tsx',
        () => import('#web/features/members/settings-page.tsx'),
        '/profile/settings',
      ),
      loadingPage(
        'web/features/members/profile-page.tsx',
        () => import('#web/features/members/profile-page.tsx'),
        '/profile/:slug',
      ),
      loadingPage('web/features/admin/admin-page.tsx', () => import('#web/features/admin/admin-page.tsx'), '/admin/*'),
      page(
        'web/features/admin/moderation-page.tsx',
        () => import('#web/features/admin/moderation-page.tsx'),
        '/moderation',
      ),
      page('web/features/appeals/appeals-page.tsx', () => import('#web/features/appeals/appeals-page.tsx'), '/appeals'),
      page('web/features/legal/privacy-page.tsx', () => import('#web/features/legal/privacy-page.tsx'), '/privacy'),
      page('web/features/legal/terms-page.tsx', () => import('#web/features/legal/terms-page.tsx'), '/terms'),
      page('web/features/site/chat-page.tsx', () => import('#web/features/site/chat-page.tsx'), '/discord'),
      loadingPage(
        'web/features/site/api-docs-page.tsx',
        () => import('#web/features/site/api-docs-page.tsx'),
        '/api/docs',
      ),
      { id: 'not-found', path: '*', loader: answerNotFound, Component: NotFoundPage },
    ],
  },
]
