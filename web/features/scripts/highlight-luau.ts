import { tokenizeLuau } from '#web/components/luau-tokens.ts'
import { type Preview, previewText } from './code-preview.tsx'

export function highlightLuau(preview: Preview): Preview {
  return { ...preview, lines: tokenizeLuau(previewText(preview.lines)), isHighlighted: true }
}
