import { tokenizeLuau } from '#web/shared/markdown/luau-tokens.ts'
import { type Preview, previewText } from './code-preview.ts'

export function highlightLuau(preview: Preview): Preview {
  return { ...preview, lines: tokenizeLuau(previewText(preview.lines)), isHighlighted: true }
}
