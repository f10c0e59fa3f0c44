import type { LucideIcon } from 'lucide-react'
import Keyboard from 'lucide-react/icons/keyboard'
import LogIn from 'lucide-react/icons/log-in'
import LogOut from 'lucide-react/icons/log-out'
import type { Session } from '#web/lib/session.tsx'
import { accountLinks, apiLink } from './account-links.ts'
import { navigationLinks } from './navigation-links.ts'
import { setTheme, type Theme, THEMES } from './theme.ts'

/** A page or an action that the search field offers. */
export interface Command {
  label: string
  icon: LucideIcon
  /** Other words by which it is found. */
  words?: string
  /** The page's path, or the action. */
  target: string | (() => void)
}

interface Context {
  session: Session
  theme: Theme
  openHelp: () => void
}

export function listCommands({ session, theme, openHelp }: Context): Command[] {
  const own = session.user ? accountLinks(session.user).flat() : [apiLink]
  const links = [...navigationLinks, ...own.filter(({ to }) => navigationLinks.every((link) => link.to !== to))]
  return [
    ...links.map(({ to, label, icon }) => ({ label, icon, target: to })),
    ...THEMES.filter((each) => each.theme !== theme).map((each) => ({
      label: `Switch to the ${each.label.toLowerCase()} theme`,
      icon: each.icon,
      words: 'colors mode',
      target: () => setTheme(each.theme),
    })),
    { label: 'Keyboard shortcuts', icon: Keyboard, words: 'help keys', target: openHelp },
    ...sessionCommands(session),
  ]
}

function sessionCommands({ status, signIn, signOut }: Session): Command[] {
  if (status === 'member')
    return [{ label: 'Sign out', icon: LogOut, words: 'log logout', target: () => void signOut() }]
  if (status === 'anonymous')
    return [{ label: 'Sign in with Discord', icon: LogIn, words: 'log login', target: () => void signIn() }]
  return []
}

const MAX_COMMANDS = 5

/** The commands of which each word of a text begins a word. */
export function matchCommands(search: string, commands: readonly Command[]): Command[] {
  const typed = wordsOf(search)
  if (typed.length === 0) return []
  const isMatch = ({ label, words = '' }: Command) => {
    const own = wordsOf(`${label} ${words}`)
    return typed.every((start) => own.some((word) => word.startsWith(start)))
  }
  return commands.filter(isMatch).slice(0, MAX_COMMANDS)
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)
