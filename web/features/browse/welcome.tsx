import CodeXml from 'lucide-react/icons/code-xml'
import type { LucideIcon } from 'lucide-react'
import UserRound from 'lucide-react/icons/user-round'
import UserPlus from 'lucide-react/icons/user-plus'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { CurrentUser } from '#contract/accounts.ts'
import { Link } from '#web/router/router.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { dismissWelcome, isWelcome } from './welcome-state.ts'

interface Step {
  icon: LucideIcon
  title: string
  text: string
  to: string
}

const STEPS: readonly Step[] = [
  {
    icon: UserPlus,
    title: 'Follow authors',
    text: 'Open a script you like and follow its author. You hear of the next one.',
    to: '/popular',
  },
  { icon: CodeXml, title: 'Publish a script', text: 'Paste or drop your code. We check it in seconds.', to: '/upload' },
  {
    icon: UserRound,
    title: 'Complete your profile',
    text: 'Add a picture and a few words about you.',
    to: '/profile/settings',
  },
]

/** The next steps of a new member. */
export function Welcome({ user }: { user: CurrentUser }) {
  const [isShown, setShown] = useState(() => isWelcome(user))
  if (!isShown) return null
  const dismiss = () => {
    dismissWelcome(user)
    setShown(false)
    // The button is gone.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <section
      aria-labelledby="welcome"
      className="relative flex flex-col gap-3 rounded-md border border-line bg-surface-1 p-4"
    >
      <h2 id="welcome" className="pr-11 text-base font-semibold wrap-anywhere">
        Welcome, <bdi>{user.display_name || user.username}</bdi>
      </h2>
      <div className="absolute top-1.5 right-1.5">
        <IconButton icon={X} label="Dismiss the welcome" onClick={dismiss} />
      </div>
      <ul className="grid gap-3 md:grid-cols-3">
        {STEPS.map(({ icon: Icon, title, text, to }) => (
          <li
            key={to}
            className="relative flex items-start gap-3 rounded-sm border border-line p-3 focus-within:border-accent hover:border-line-strong hover:bg-surface-2"
          >
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            <div className="min-w-0">
              <Link to={to} className="font-medium outline-none after:absolute after:inset-0 after:rounded-sm">
                {title}
              </Link>
              <p className="text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
