import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeScript } from '#tests/support/factories.ts'
import { makeGiveaway } from '#tests/support/giveaways.ts'
import { Person } from '#tests/support/person.ts'
import { sample } from '#tests/support/seed.ts'
import { createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'

const KEYS = ['admin', 'moderator', 'ada', 'lin']
const SCRIPTS = 3
const STEPS = 25
const PLACES = 2

let site: SignInSite
let people: Person[]
let scripts: number[]
let giveaway: number
beforeAll(async () => {
  site = await createSignInSite()
  people = await Promise.all(KEYS.map((key) => new Person(site, key).signIn()))
  scripts = await Promise.all(Array.from({ length: SCRIPTS }, () => makeScript(site.db)))
  giveaway = await makeGiveaway(site.db, { max_entries: PLACES })
})
afterAll(() => site.close())

const script = fc.nat({ max: SCRIPTS - 1 })
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('rate' as const), script, stars: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('unrate' as const), script }),
  fc.record({ kind: fc.constant('report' as const), script }),
  fc.record({ kind: fc.constant('give' as const), receiver: fc.nat({ max: KEYS.length - 1 }) }),
  fc.record({ kind: fc.constant('enter' as const) }),
  fc.record({ kind: fc.constant('return' as const) }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** The steps of a person that the site confirmed. */
class Records {
  readonly votes = new Map<number, number>()
  readonly reports = new Set<number>()
  readonly gifts = new Set<number>()
  isEntered = false

  expectedOf(step: Step, position: number): number[] {
    switch (step.kind) {
      case 'rate':
      case 'return':
        return [200]
      case 'unrate':
        return [this.votes.has(step.script) ? 200 : 404]
      case 'report':
        return [this.reports.has(step.script) ? 409 : 201]
      case 'give':
        if (step.receiver === position) return [403]
        // 404 if the receiver has no account at this moment.
        return [this.gifts.has(step.receiver) ? 409 : 200, 404]
      case 'enter':
        // 409 also if the giveaway is full.
        return this.isEntered ? [409] : [200, 409]
    }
  }

  record(step: Step, status: number): void {
    if (status >= 300) return
    if (step.kind === 'rate') this.votes.set(step.script, step.stars)
    if (step.kind === 'unrate') this.votes.delete(step.script)
    if (step.kind === 'report') this.reports.add(step.script)
    if (step.kind === 'give') this.gifts.add(step.receiver)
    if (step.kind === 'enter' || step.kind === 'return') this.isEntered = step.kind === 'enter'
  }
}

async function send(person: Person, step: Step): Promise<number> {
  const scriptId = 'script' in step ? (scripts[step.script] ?? 0) : 0
  switch (step.kind) {
    case 'rate':
      return (await person.rate(scriptId, step.stars)).status
    case 'unrate':
      return (await person.ask(`DELETE /api/script-rating?id=${scriptId}`)).status
    case 'report':
      return (await person.report(scriptId)).status
    case 'give':
      return (await person.give(people[step.receiver]?.id ?? 0)).status
    case 'enter':
      return (await person.enter(giveaway)).status
    case 'return': {
      const status = await person.eraseAccount()
      await person.signIn()
      return status
    }
  }
}

const read = async <Row extends object>(query: string) => (await site.pool.query<Row>(query)).rows

test('people who delete their accounts and return have one vote, one report, one point and one entry each', async () => {
  const all = people.map(() => new Records())
  const takeAll = async (person: Person, position: number) => {
    const own = all[position] ?? new Records()
    for (const step of plans[position] ?? []) {
      const status = await send(person, step)
      expect(own.expectedOf(step, position), JSON.stringify(step)).toContain(status)
      own.record(step, status)
    }
  }
  const plans = people.map(() => sample(anyStep, STEPS))
  await Promise.all(people.map(takeAll))

  const stats = await read<{ rating_count: number; stars: number; reports: number }>(`
    select rating_count, one_star + 2 * two_star + 3 * three_star + 4 * four_star + 5 * five_star as stars,
      (select count(*)::int from reports where subject_id = st.script_id) as reports
    from script_stats st order by script_id`)
  const expected = scripts
    .toSorted((a, b) => a - b)
    .map((id) => {
      const index = scripts.indexOf(id)
      const votes = all.flatMap((own) => own.votes.get(index) ?? [])
      const reports = all.filter((own) => own.reports.has(index)).length
      return { rating_count: votes.length, stars: votes.reduce((sum, stars) => sum + stars, 0), reports }
    })
  expect(stats).toEqual(expected)

  const entries = all.filter(({ isEntered }) => isEntered).length
  expect(await read(`select entry_count, (select count(*)::int from giveaway_entries) as rows from giveaways`)).toEqual(
    [{ entry_count: entries, rows: entries }],
  )
  expect(entries).toBeLessThanOrEqual(PLACES)

  const reputations = await read<{ id: number; reputation: number }>('select id, reputation from members')
  for (const [i, person] of people.entries()) {
    const points = all.filter((own) => own.gifts.has(i)).length
    expect(reputations.find(({ id }) => id === person.id)?.reputation).toBe(points)
  }
})
