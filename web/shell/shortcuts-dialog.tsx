import { Fragment, useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { readSingleKeys, storeSingleKeys } from './shortcuts.ts'

interface Shortcut {
  text: string
  /** Alternatives, each of keys that are pressed together. */
  keys: readonly (readonly string[])[]
}

const CONTROL = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

const GROUPS: Record<string, readonly Shortcut[]> = {
  'On every page': [
    { text: 'Search scripts, pages and actions', keys: [['/'], [CONTROL, 'K']] },
    { text: 'Show keyboard shortcuts', keys: [['?']] },
  ],
  "On a script's page": [
    { text: 'Copy the script', keys: [['C']] },
    { text: 'Add to favorites, or remove', keys: [['F']] },
  ],
  'In the search field': [
    { text: 'Choose a suggestion', keys: [['↑'], ['↓']] },
    { text: 'Open it', keys: [['Enter']] },
    { text: 'Close', keys: [['Esc']] },
  ],
}

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(readSingleKeys)
  const change = (isWanted: boolean) => {
    storeSingleKeys(isWanted)
    setOn(readSingleKeys())
  }
  return (
    <Dialog title="Keyboard shortcuts" size="sm" onClose={onClose}>
      <div className="flex flex-col gap-5">
        {Object.entries(GROUPS).map(([title, shortcuts]) => (
          <section key={title} aria-label={title}>
            <h3 className="pb-1 text-sm font-semibold text-muted">{title}</h3>
            <ul>
              {shortcuts.map((shortcut) => (
                <Row key={shortcut.text} {...shortcut} />
              ))}
            </ul>
          </section>
        ))}
        <Switch
          label="Single-key shortcuts"
          help={`Turn them off if you dictate text. ${CONTROL}+K still opens the search, which leads back here.`}
          isOn={isOn}
          onChange={change}
        />
      </div>
    </Dialog>
  )
}

function Row({ text, keys }: Shortcut) {
  return (
    <li className="flex min-h-10 items-center justify-between gap-4 border-b border-line last:border-0">
      <span className="min-w-0">{text}</span>
      <span className="flex shrink-0 items-center gap-1.5 text-xs text-muted">
        {keys.map((pressed, index) => (
          <Fragment key={pressed.join('+')}>
            {index > 0 && <span>or</span>}
            <span className="flex gap-1">
              {pressed.map((key) => (
                <kbd
                  key={key}
                  className="inline-grid min-h-6 min-w-6 place-items-center rounded-sm border border-line-strong bg-surface-2 px-1.5 font-sans text-text"
                >
                  {key}
                </kbd>
              ))}
            </span>
          </Fragment>
        ))}
      </span>
    </li>
  )
}
