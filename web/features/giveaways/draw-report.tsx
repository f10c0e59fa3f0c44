import type { LucideIcon } from 'lucide-react'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleX from 'lucide-react/icons/circle-x'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import type { ReactNode } from 'react'
import type { GiveawayDraw } from '#contract/giveaways.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import type { DrawCheck } from './use-draw-check.ts'

export function DrawReport({ check, id, onRetry }: { check: DrawCheck; id: number; onRetry: () => void }) {
  return (
    <section className="flex flex-col gap-4 rounded-lg border border-line bg-surface-1 p-4">
      {check.draw && (
        <h2 dir="auto" className="text-lg font-semibold wrap-anywhere">
          {check.draw.title}
        </h2>
      )}
      <div role="status">
        <Verdict {...check} />
      </div>
      {check.canRetry && (
        <Button variant="primary" className="w-fit" onClick={onRetry}>
          Try again
        </Button>
      )}
      {check.draw && <Details draw={check.draw} found={check.replay?.winners} />}
      {check.draw && (
        <a href={`/api/giveaway-draw?id=${id}`} className="w-fit py-1 text-accent underline underline-offset-2">
          Everything that was published, as JSON
        </a>
      )}
    </section>
  )
}

function Verdict({ draw, replay, progress, failure }: DrawCheck) {
  if (failure) return <Line icon={CircleAlert} look="text-danger" text={failure} />
  if (!draw?.drawn_at) {
    return (
      <Line icon={CircleAlert} look="text-muted" text="The winners have not been drawn yet. Come back afterwards." />
    )
  }
  if (!replay) {
    const percent = Math.floor(progress * 100)
    return <Line icon={LoaderCircle} look="text-accent" text={`Making the draw again: ${percent}%`} />
  }
  const { isSeedValid, areWinnersSame } = replay
  if (isSeedValid && areWinnersSame) {
    return (
      <Line
        icon={CircleCheck}
        look="text-success"
        text="This draw matches: the seed is the promised one, the winners are the same."
      />
    )
  }
  const wrong = isSeedValid ? 'Other entries win.' : 'The seed is not the one that was promised.'
  return <Line icon={CircleX} look="text-danger" text={`This draw does not match. ${wrong}`} />
}

function Line({ icon: Icon, look, text }: { icon: LucideIcon; look: string; text: string }) {
  return (
    <p className="flex items-start gap-2 font-medium">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${look}`} />
      {text}
    </p>
  )
}

function Details({ draw, found }: { draw: GiveawayDraw; found: number[] | undefined }) {
  return (
    <dl className="grid gap-3">
      <Detail label="SHA-256 of the seed, published in advance">{draw.seed_sha256}</Detail>
      {draw.seed && <Detail label="Seed, revealed by the draw">{draw.seed}</Detail>}
      <Detail label="Entries in the draw">{fullCount(draw.entries.length)}</Detail>
      {draw.drawn_at && <Detail label="Winning entries, as published">{draw.winners.join(', ')}</Detail>}
      {draw.drawn_at && <Detail label="Winning entries, found here">{found ? found.join(', ') : '…'}</Detail>}
    </dl>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="font-mono text-sm wrap-anywhere">{children}</dd>
    </div>
  )
}
