import { CAPABILITY_IDS, CAPABILITY_TITLES } from '#contract/behavior-names.ts'
import { GROUP_ICONS, LevelIcon } from '#web/shared/behavior/icons.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { CAPABILITY_GROUPS, CAPABILITY_TEXTS, CERTAINTY_TEXTS, DECLARED_TEXTS } from '#web/lib/behavior-text.ts'
import { Prose } from '#web/ui/prose.tsx'

const DESCRIPTION = 'How this site finds out what a script does, what it looks for, and what it cannot see.'

/** What the findings on a script's page mean. */
export function Component() {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-10">
      <PageHead title="How we check scripts" description={DESCRIPTION} path="/behavior" />
      <h1 className="mb-4 text-2xl font-semibold">How we check scripts</h1>
      <Prose>
        <p>
          Scripts run on your device. We check every version and show you what it does, line by line, so you can decide.
        </p>
        <h2>How we know</h2>
        <ul>
          <li>
            <strong className="font-semibold text-text">{CERTAINTY_TEXTS.code}:</strong> a program has read the script.
            It knows which function is called, and with what.
          </li>
          <li>
            <strong className="font-semibold text-text">{CERTAINTY_TEXTS.likely}:</strong> the function is called, but
            what it is called with, such as the URL, is only known when the script runs.
          </li>
          <li>
            <strong className="font-semibold text-text">{CERTAINTY_TEXTS.run}:</strong> we ran the script in a sandbox
            that imitates Roblox, without internet, files or an account, and it did this there.
          </li>
        </ul>
        <h2>What the author said</h2>
        <p>
          Authors say what their script does when they publish it. “{DECLARED_TEXTS.declared}” means that the author
          said so, “{DECLARED_TEXTS.undeclared}” that they did not, and “Declared, not found” that they said so and we
          did not see it. Scripts from before we asked have none of these.
        </p>
        <h2>What we cannot see</h2>
        <p>
          Code that a script downloads can change at any time. Obfuscated code shows little. Some scripts do things only
          in one game, or after days. A script's list also says what we could not look into. So a short list does not
          mean that a script is harmless. We give no score, because a number would hide that.
        </p>
        <h2>What we look for</h2>
        <p>
          {CAPABILITY_IDS.length} things. A warning sign does not mean that a script is bad, but that you should know
          why it does this.
        </p>
      </Prose>
      {CAPABILITY_GROUPS.map(({ title, ids }) => {
        const Icon = GROUP_ICONS[title]
        return (
          <section key={title} aria-label={title} className="mt-6">
            <h3 className="flex items-center gap-2 text-base font-semibold">
              {Icon && <Icon aria-hidden className="size-4 text-muted" />}
              {title}
            </h3>
            <dl className="mt-2 divide-y divide-line rounded-md border border-line bg-surface-1">
              {ids.map((id) => (
                <div key={id} id={id} className="px-4 py-3 target:bg-accent-soft">
                  <dt className="flex items-start gap-2 font-medium">
                    <LevelIcon level={CAPABILITY_TEXTS[id].level} />
                    {CAPABILITY_TITLES[id]}
                  </dt>
                  <dd className="ml-7 text-muted">{CAPABILITY_TEXTS[id].explanation}</dd>
                </div>
              ))}
            </dl>
          </section>
        )
      })}
    </div>
  )
}
