import { expect, test } from 'vitest'
import { BodyBudget } from './body-budget.ts'

const small = { bytes: 100, reserveBytes: 20, smallBytes: 10, ownerBytes: 60, waitMs: 0 }
const busy = expect.objectContaining({ code: 'busy', status: 503, details: { retryAfter: 2 } })

test('a body beyond the budget is rejected, and admitted after others are released', async () => {
  const budget = new BodyBudget(small)
  const [a, b, c] = [budget.open('a'), budget.open('b'), budget.open('c')]
  await a.add(50)
  await b.add(50)
  await expect(c.add(11)).rejects.toEqual(busy)
  a.release()
  await c.add(11)
  expect(budget.used).toBe(61)
})

test('a small body has room left when large ones use up the rest', async () => {
  const budget = new BodyBudget(small)
  await budget.open('a').add(50)
  await budget.open('b').add(50)
  await budget.open('c').add(10)
  await expect(budget.open('d').add(11)).rejects.toEqual(busy)
})

test('one owner gets no more than their share', async () => {
  const budget = new BodyBudget(small)
  const first = budget.open('a')
  await first.add(50)
  await expect(budget.open('a').add(11)).rejects.toMatchObject({ code: 'too_many_requests', status: 429 })
  first.release()
  await budget.open('a').add(11)
})

test('a body waits for others to be released', async () => {
  const budget = new BodyBudget({ ...small, waitMs: 10_000 })
  const [a, b] = [budget.open('a'), budget.open('b')]
  await a.add(60)
  const waiting = b.add(50)
  a.release()
  await waiting
  expect(budget.used).toBe(50)
})

test('a body is released once', async () => {
  const budget = new BodyBudget(small)
  const [a, b] = [budget.open('a'), budget.open('a')]
  await a.add(30)
  await b.add(30)
  a.release()
  a.release()
  await a.add(5)
  expect(budget.used).toBe(30)
})
