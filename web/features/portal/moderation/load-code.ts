import type { Api } from '#web/lib/client.ts'

/** Loads the code of a version, by default of the one that is current, as staff read it. */
export async function loadCode(api: Api, id: number, number?: number | null, signal?: AbortSignal): Promise<string> {
  const options = signal ? { signal } : {}
  if (number != null) {
    const held = await api('GET /api/script-version', { query: { id, number }, ...options })
    return held.version.script_content
  }
  const { script } = await api('GET /api/script-details-slug', { query: { slug: `x-${id}` }, ...options })
  return script.script_content
}
