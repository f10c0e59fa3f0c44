import { type DragEvent, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Makes an element a drop zone for a file. `isOver` is true while a file is dragged over it. */
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
      // Moving to a child element also fires dragleave.
      onDragLeave: (event: DragEvent) => {
        const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
        if (!isInside) setOver(false)
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
