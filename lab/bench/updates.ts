// npm run bench updates -- --repositories DIR
// Measures what the rule for holds stops: harmless updates, which are the last changes of script files in libraries, and
// updates of a harmless script to each made case of `npm run bench behavior` that does something serious, by reading alone.
import { analyze } from '@scriptyard/luau-behavior'
import { toStoredCard } from '#server/features/behavior/cards.ts'
import { findStarts } from '#server/features/releases/reasons.ts'
import { SERIOUS_CAPABILITIES } from '#contract/version-states.ts'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { makeCases } from './behavior/cases.ts'
import { readBlob, readGit, readRepositories, type Repository } from './repositories.ts'

/** Pairs of each repository, the newest first. */
const PAIRS = 200
const MAX_BYTES = 1 << 20

interface Pair {
  before: string
  after: string
}

function* readPairs(repository: Repository): Generator<Pair> {
  const options = ['--raw', '--no-abbrev', '--format=', '--diff-filter=M', '--no-merges']
  const log = readGit(repository, ['log', ...options, repository.commit, '--', '*.lua', '*.luau'])
  for (const [, old, changed] of log.matchAll(/^:\d+ \d+ ([\da-f]{40}) ([\da-f]{40}) M\t/gm)) {
    const [before, after] = [old, changed].map((blob) => readBlob(repository, blob as string))
    if (before?.trim() && after?.trim() && before !== after && Math.max(before.length, after.length) <= MAX_BYTES) {
      yield { before, after }
    }
  }
}

const analyzed = (code: string) => ({ status: 'ready' as const, card: toStoredCard(analyze(code)) })

let [total, held] = [0, 0]
for (const repository of readRepositories('updates.json')) {
  const pairs = readPairs(repository).take(PAIRS).toArray()
  const reasons = pairs.flatMap(({ before, after }) => {
    const starts = findStarts(analyzed(before), analyzed(after))
    return starts.length > 0 ? [starts.map(({ id }) => id).join(', ')] : []
  })
  total += pairs.length
  held += reasons.length
  console.log(
    `${repository.repository}: ${reasons.length} of ${pairs.length} wait${reasons.map((text) => `\n  ${text}`).join('')}`,
  )
}
console.log(`${held} of ${total} updates wait (${((100 * held) / total).toFixed(1)} %)`)

const serious: ReadonlySet<CapabilityId> = new Set(SERIOUS_CAPABILITIES)
const harmless = analyzed('print("hello")')
const hostile = makeCases().filter(({ labels }) => labels.some((label) => serious.has(label)))
const passed = hostile.filter(({ code }) => findStarts(harmless, analyzed(code)).length === 0)
for (const { name } of passed) console.log(`not held: ${name}`)
console.log(`${hostile.length - passed.length} of ${hostile.length} hostile updates wait`)
