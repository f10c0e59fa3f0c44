import type { BrowserRouter } from '#web/router/browser-router.ts'

const FILE = '/service-worker.js'

interface PolicyFactory {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string }
}

/** Keeps the pages that the visitor reads for when there is no connection. Not all browsers and contexts can do that. */
export async function registerServiceWorker(router: BrowserRouter): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => FILE })
  await navigator.serviceWorker.register(policy?.createScriptURL('') ?? FILE)
  const { active } = await navigator.serviceWorker.ready
  let visited = ''
  const report = () => {
    const { pathname, search } = router.state.location
    if (visited === pathname + search || !navigator.onLine) return
    visited = pathname + search
    active?.postMessage(visited, {})
  }
  report()
  router.subscribe(report, () => undefined)
}
