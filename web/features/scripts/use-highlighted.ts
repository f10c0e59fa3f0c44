import { useEffect, useState } from 'react'
import type { Preview } from './preview.ts'

/** The preview as it came, and coloured as soon as the grammar is there. */
export function useHighlighted(preview: Preview): Preview {
  const [coloured, setColoured] = useState<{ of: Preview; preview: Preview }>()
  useEffect(() => {
    if (preview.isHighlighted) return undefined
    let isGone = false
    const show = async () => {
      const { highlightLuau } = await import('./highlight-luau.ts')
      if (!isGone) setColoured({ of: preview, preview: highlightLuau(preview) })
    }
    // Without the grammar the code stays plain, which is all that is lost.
    show().catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [preview])
  return coloured?.of === preview ? coloured.preview : preview
}
