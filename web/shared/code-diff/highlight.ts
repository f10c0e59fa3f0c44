import type { CodeLine } from '#web/shared/markdown/luau-tokens.ts'

/** Longer code is not highlighted. */
const MAX_HIGHLIGHTED = 200_000

/** Highlighted lines; none if the code is long or the grammar cannot be loaded. */
export async function highlight(code: string): Promise<readonly CodeLine[]> {
  if (code.length > MAX_HIGHLIGHTED) return []
  try {
    const { tokenizeLuau } = await import('#web/shared/markdown/luau-tokens.ts')
    return tokenizeLuau(code.replaceAll(/\r\n?/g, '\n'))
  } catch {
    return []
  }
}
