import type { ReactNode } from 'react'
import type { ScriptDetails } from './load-script.ts'

// Of one zone and language, so that server and browser write the same.
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** What the script is made for, and when it was made. */
export function ScriptFacts({ script }: { script: ScriptDetails['script'] }) {
  return (
    <section
      aria-labelledby="facts-heading"
      className="flex flex-col gap-3 rounded-md border border-line bg-surface-1 p-4"
    >
      <h2 id="facts-heading" className="text-sm font-semibold">
        Details
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <Fact name="Works in">
          <Game script={script} />
        </Fact>
        <Fact name="Runs as">{script.is_client_side ? 'Client-side' : 'FE'}</Fact>
        <Fact name="Price">{script.is_free ? 'Free' : 'Paid'}</Fact>
        <Fact name="Key system">{script.has_key_system ? 'Yes' : 'No'}</Fact>
        <Fact name="Mobile">{script.is_mobile_compatible ? 'Compatible' : 'Not compatible'}</Fact>
        <Fact name="Created">
          <DateText iso={script.created_at} />
        </Fact>
        <Fact name="Updated">
          <DateText iso={script.updated_at} />
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children}</dd>
    </>
  )
}

function Game({ script: { is_universal, game_id } }: { script: ScriptDetails['script'] }) {
  if (is_universal) return 'Every game'
  if (!game_id) return 'One game'
  return (
    <a
      href={`https://www.roblox.com/games/${encodeURIComponent(game_id)}`}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className="relative text-accent after:absolute after:inset-x-0 after:-inset-y-3.5 hover:underline"
    >
      Game {game_id}
    </a>
  )
}

function DateText({ iso }: { iso: string }) {
  return <time dateTime={iso}>{dates.format(new Date(iso))}</time>
}
