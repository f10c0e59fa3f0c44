import { useEffect, useState } from 'react'

export const SECTIONS = ['overview', 'preview', 'ratings'] as const
export type SectionId = (typeof SECTIONS)[number]

/** What stands above this line has been read: the site's header and the section buttons cover it. */
const READING_LINE = 140

/** The id of the section that is being read: the last that has passed the reading line, at the page's end the last. */
export function useSectionInView(): SectionId {
  const [inView, setInView] = useState<SectionId>('overview')
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      const passed = SECTIONS.filter((id) => {
        const section = document.getElementById(id)
        return section !== null && section.getBoundingClientRect().top <= READING_LINE
      })
      setInView((isAtEnd && window.scrollY > 0 ? SECTIONS : passed).at(-1) ?? 'overview')
    }
    const schedule = () => {
      frame ||= requestAnimationFrame(look)
    }
    schedule()
    window.addEventListener('scroll', schedule, { passive: true })
    window.addEventListener('resize', schedule)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', schedule)
      window.removeEventListener('resize', schedule)
    }
  }, [])
  return inView
}
