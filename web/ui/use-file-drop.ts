import { type DragEvent, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Lets an element take a file that is dropped on it, and tells while one hovers above. */
export function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false)
  const hover = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  return {
    isOver,
    handlers: {
      onDragEnter: hover,
      onDragOver: hover,
      // Going from the frame into what it holds leaves nothing.
      onDragLeave: (event: DragEvent) => {
        const goesInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
        if (!goesInside) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        const file = event.dataTransfer.files.item(0)
        if (file) onFile(file)
      },
    },
  }
}
