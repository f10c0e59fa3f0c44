import { type RefObject, useEffect, useRef, useState } from 'react'

const MARGIN = '400px'

/** Whether an element was ever on the screen or near it, for what is loaded only then. */
export function useNear<T extends Element>(): { target: RefObject<T | null>; isNear: boolean } {
  const target = useRef<T>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = target.current
    if (isNear || !element) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isNear])
  return { target, isNear }
}
