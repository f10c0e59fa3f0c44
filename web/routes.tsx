import { FLAGS } from '#contract/catalogue-names.ts'
import { data, type LoaderArgs, type PageModule, type Route } from '#web/router/routes.ts'
import { apiContext } from '#web/lib/api-context.ts'
import type { RootData } from '#web/lib/root-data.ts'
import { NotFoundPage, RouteErrorPage } from '#web/shared/error-pages.tsx'
import { Root, RootError } from './root.tsx'

/** All pages. Each one is a separate chunk. */
const pages = import.meta.glob<PageModule>('./**/*-page.tsx', { base: './features' })

/**
 * A lazy page, and its loader if it has one. `file` is relative to web/features. The server drops query parameters that no page
 * declares, so that they do not make new cache entries.
 */
function page(path: string, file: string, parameters: readonly string[] = []): Route {
  return {
    parameters,
    // The page's key in Vite's manifest, where the server looks up its chunk.
    id: `web/features/${file}`,
    path,
    // Without its own boundary, an error would replace the whole document, and the content security policy
    // blocks the scripts of a document that the browser renders.
    ErrorBoundary: RouteErrorPage,
    load: async () => pick(await pages[`./${file}`]?.()),
  }
}

/** A dialog over the page of its parent route. */
const dialog = page

/** A tab of the admin portal, or of the moderators' pages. They show its errors. */
function portalTab(path: string, file: string): Route {
  const load = async () => pick(await (await import('#web/features/portal/tabs.ts')).tabs[`./${file}`]?.())
  return { id: `web/features/portal/${file}`, path, load }
}

const pick = (module: PageModule | undefined): PageModule => ({ Component: module?.Component, loader: module?.loader })

async function loadRoot({ context }: LoaderArgs): Promise<RootData> {
  return { site: await context.get(apiContext)('GET /api/site'), now: new Date().toISOString() }
}

const BROWSE_PARAMETERS = ['host', 'lacks', 'order', 'page', 'search', 'sort', 'tags', 'uses', ...FLAGS]

const respondNotFound = () => data(null, { status: 404 })

export const routes: Route[] = [
  {
    id: 'root',
    Component: Root,
    ErrorBoundary: RootError,
    loader: loadRoot,
    isLoadedOnce: true,
    children: [
      // Matches both / and /scripts.
      page('/scripts?', 'browse/browse-page.tsx', BROWSE_PARAMETERS),
      {
        ...page('/scripts/:slug', 'script/script-page.tsx'),
        children: [{ id: 'script', path: '' }, dialog('edit', 'script-edit/edit-page.tsx', ['tab'])],
      },
      page('/scripts/:slug/new-version', 'script-edit/new-version-page.tsx'),
      page('/popular', 'browse/popular-page.tsx', ['page', 'search', 'sort']),
      page('/games/:id', 'browse/game-page.tsx', ['page', 'search', 'sort', 'tags']),
      page('/showcases', 'showcases/showcases-page.tsx', ['page']),
      page('/giveaways', 'giveaways/giveaways-page.tsx'),
      page('/giveaways/:id/draw', 'giveaways/draw-page.tsx'),
      page('/dashboard', 'insights/dashboard-page.tsx'),
      page('/favorites', 'favorites/favorites-page.tsx', ['page', 'sort']),
      page('/collections', 'collections/collections-page.tsx'),
      page('/collections/:slug', 'collections/collection-page.tsx', ['page']),
      page('/following', 'following/following-page.tsx', ['page', 'tab']),
      page('/upload', 'script-edit/upload-page.tsx'),
      page('/profile/me', 'members/me-page.tsx'),
      page('/profile/settings', 'members/settings/settings-page.tsx', ['tab']),
      page('/profile/:slug', 'members/profile-page.tsx', ['page', 'tab']),
      {
        ...page('/admin', 'portal/admin-page.tsx'),
        children: [
          portalTab('', 'site/dashboard-tab.tsx'),
          portalTab('users', 'users/users-tab.tsx'),
          portalTab('users/:id', 'users/member-tab.tsx'),
          portalTab('scripts', 'scripts/scripts-tab.tsx'),
          portalTab('showcases', 'scripts/showcases-tab.tsx'),
          portalTab('giveaways', 'giveaways/giveaways-tab.tsx'),
          portalTab('moderation', 'moderation/moderation-tab.tsx'),
          portalTab('held', 'moderation/held-tab.tsx'),
          portalTab('notifications', 'site/notifications-tab.tsx'),
          portalTab('behavior', 'moderation/behavior-tab.tsx'),
          portalTab('webhooks', 'site/webhooks-tab.tsx'),
          portalTab('jobs', 'site/jobs-tab.tsx'),
          portalTab('branding', 'site/branding-tab.tsx'),
        ],
      },
      {
        ...page('/moderation', 'portal/moderation/moderation-page.tsx'),
        children: [
          portalTab('', 'moderation/reports-tab.tsx'),
          portalTab('held', 'moderation/held-tab.tsx'),
          portalTab('behavior', 'moderation/behavior-tab.tsx'),
        ],
      },
      page('/appeals', 'appeals/appeals-page.tsx'),
      page('/behavior', 'behavior/behavior-page.tsx'),
      page('/rules', 'legal/rules-page.tsx'),
      page('/privacy', 'legal/privacy-page.tsx'),
      page('/terms', 'legal/terms-page.tsx'),
      page('/discord', 'site/chat-page.tsx'),
      page('/setup', 'site/setup-page.tsx'),
      page('/offline', 'site/offline-page.tsx'),
      page('/api/docs', 'site/api-docs-page.tsx'),
      { id: 'not-found', path: '*', loader: respondNotFound, Component: NotFoundPage },
    ],
  },
]
