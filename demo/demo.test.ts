import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { demoScripts } from './catalogue.ts'
import { demoCollections } from './collections.ts'
import { demoComments } from './comments.ts'
import { demoGiveaways } from './giveaways.ts'
import { demoFavorites, demoFollows, demoWatches } from './interests.ts'
import { demoMembers } from './members.ts'
import { demoReviews } from './reviews.ts'
import { demoScreenshots } from './screenshots.ts'
import { demoHistories, versionsOf } from './versions.ts'
import { demoWorksNotes } from './works.ts'

const folder = new URL('./scripts/', import.meta.url)
const members = new Map(demoMembers.map((member) => [member.key, member]))
const scripts = new Map(demoScripts.map((script) => [script.file, script]))

function count(isCounted: (script: (typeof demoScripts)[number]) => boolean): number {
  return demoScripts.filter(isCounted).length
}

test('every script file is listed once, and every row has its file', () => {
  expect(demoScripts.map((script) => script.file).toSorted()).toEqual(readdirSync(folder).toSorted())
})

test.each(demoScripts)('$file is 20 to 300 lines long', ({ file }) => {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n').length
  expect(lines).toBeGreaterThanOrEqual(20)
  expect(lines).toBeLessThanOrEqual(300)
})

test('every picture is used once, in both sizes, and screenshots have a description within the limit', () => {
  const screenshots = [...demoScreenshots.values()].flat()
  const names = {
    avatars: demoMembers.map(({ key }) => key),
    banners: demoMembers.map(({ key }) => key),
    covers: demoScripts.map(({ file }) => path.basename(file, '.luau')),
    screenshots: screenshots.map(({ image }) => image),
  }
  for (const [kind, expected] of Object.entries(names)) {
    const files = expected.flatMap((name) => [`${name}-card.webp`, `${name}.webp`])
    expect(readdirSync(new URL(`./images/${kind}/`, import.meta.url)).toSorted()).toEqual(files.toSorted())
  }
  expect(screenshots.filter(({ alt }) => alt === '' || alt.length > 140)).toEqual([])
  expect([...demoScreenshots.keys()].filter((file) => !scripts.has(file))).toEqual([])
})

test('members have their own key, Discord id and username', () => {
  for (const field of ['key', 'discordId', 'username'] as const) {
    expect(new Set(demoMembers.map((member) => member[field].toLowerCase())).size).toBe(demoMembers.length)
  }
  for (const member of demoMembers) expect(member.discordId).toMatch(/^\d{18}$/)
})

test('the sign-in page finds its members', () => {
  expect(demoMembers.filter((member) => member.isAdmin).map((member) => member.key)).toEqual(['admin'])
  expect(demoMembers.filter((member) => member.isModerator).map((member) => member.key)).toEqual(['moderator'])
  for (const key of ['ada', 'lin']) expect(members.get(key)).toMatchObject({ isAdmin: false, isModerator: false })
  expect(demoMembers.some((member) => member.privacy?.profile_visibility === 'private')).toBe(true)
})

test.each(demoScripts)('$file keeps the limits of an upload', (script) => {
  expect(script.title.length).toBeLessThanOrEqual(100)
  expect(script.summary?.length ?? 1).toBeLessThanOrEqual(140)
  expect(script.description.length).toBeGreaterThan(0)
  expect(script.description.length).toBeLessThanOrEqual(5000)
  expect(script.version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(script.tags.length).toBeGreaterThanOrEqual(2)
  expect(script.tags.length).toBeLessThanOrEqual(7)
  expect(new Set(script.tags).size).toBe(script.tags.length)
  for (const tag of script.tags) expect(tag).toMatch(/^[a-z0-9-]{1,30}$/)
})

test.each(demoScripts)('$file says the same thing in fields that belong together', (script) => {
  expect(script.keySystemUrl !== null).toBe(script.hasKeySystem)
  expect(script.gameId === null).toBe(script.isUniversal)
  expect(script.gameId ?? '0').toMatch(/^\d+$/)
  expect(script.showcase !== undefined).toBe(script.isShowcased)
  expect(script.updatedDaysAgo).toBeLessThanOrEqual(script.createdDaysAgo)
  expect(script.downloads).toBeLessThanOrEqual(script.views)
  const author = members.get(script.author)
  expect(author?.joinedDaysAgo).toBeGreaterThanOrEqual(script.createdDaysAgo)
})

test.each(Object.keys(demoHistories))('the versions of %s get younger and differ in their code', (file) => {
  const { version = '', createdDaysAgo, updatedDaysAgo = 0 } = scripts.get(file) ?? {}
  const versions = versionsOf(file, version, readFileSync(new URL(file, folder), 'utf8'))
  const ages = versions.map(({ daysAgo }) => daysAgo ?? updatedDaysAgo)
  expect(ages[0]).toBe(createdDaysAgo)
  expect(ages).toEqual([...new Set(ages)].toSorted((one, other) => other - one))
  expect(new Set(versions.map(({ content }) => content)).size).toBe(versions.length)
  expect(versions.map(({ notes }) => notes === null)).toEqual(versions.map((_version, i) => i === 0))
  for (const { notes } of versions) expect(notes?.length ?? 1).toBeLessThanOrEqual(200)
})

test('members favorite, watch and judge public scripts of others', () => {
  const lists = [...Object.entries(demoFavorites), ...Object.entries(demoWatches)]
  const pairs = lists.flatMap(([member, files]) => files.map((file) => ({ member, script: `${file}.luau` })))
  for (const { member, script } of [...pairs, ...demoWorksNotes]) {
    expect(members.has(member)).toBe(true)
    expect(scripts.get(script)?.isPublic, script).toBe(true)
    expect(scripts.get(script)?.author, script).not.toBe(member)
  }
  for (const [member, authors] of Object.entries(demoFollows)) {
    expect([member, ...authors].filter((key) => !members.has(key))).toEqual([])
    expect(authors).not.toContain(member)
  }
})

test('comments and collections name members and public scripts, and nobody votes for their own comment', () => {
  for (const { script, replies, ...comment } of demoComments) {
    expect(scripts.get(script)?.isPublic, script).toBe(true)
    expect(scripts.get(script)?.createdDaysAgo).toBeGreaterThanOrEqual(comment.daysAgo)
    for (const { member, daysAgo, helpfulTo = [] } of [comment, ...replies]) {
      expect([member, ...helpfulTo].filter((key) => !members.has(key))).toEqual([])
      expect(helpfulTo).not.toContain(member)
      expect(members.get(member)?.joinedDaysAgo).toBeGreaterThanOrEqual(daysAgo)
      expect(daysAgo).toBeLessThanOrEqual(comment.daysAgo)
    }
  }
  for (const { owner, items } of demoCollections) {
    expect(members.has(owner)).toBe(true)
    for (const [script] of items) expect(scripts.get(`${script}.luau`)?.isPublic, script).toBe(true)
  }
})

test('every filter has several matches', () => {
  expect(demoScripts.length).toBeGreaterThan(40)
  expect(count((script) => script.isFeatured)).toBeGreaterThanOrEqual(5)
  expect(count((script) => script.isVerified)).toBeGreaterThanOrEqual(8)
  expect(count((script) => script.isShowcased)).toBeGreaterThanOrEqual(4)
  expect(count((script) => script.hasKeySystem)).toBeGreaterThanOrEqual(4)
  expect(count((script) => !script.isFree)).toBeGreaterThanOrEqual(5)
  expect(count((script) => !script.isUniversal)).toBeGreaterThanOrEqual(6)
  expect(count((script) => !script.isClientSide)).toBeGreaterThanOrEqual(8)
  expect(count((script) => !script.isMobileCompatible)).toBeGreaterThanOrEqual(3)
  expect(count((script) => !script.isPublic)).toBe(1)
  expect(count((script) => !script.isWorking)).toBe(1)
  expect(count((script) => script.views > 1000)).toBeGreaterThan(10)
})

test('nobody reviews their own script, or a script twice', () => {
  const pairs = demoReviews.map((review) => `${review.member} on ${review.script}`)
  expect(new Set(pairs).size).toBe(pairs.length)
  expect(demoReviews.filter((review) => scripts.get(review.script)?.author === review.member)).toEqual([])
})

test.each(demoReviews)('the review of $script by $member is younger than both, and can be seen', (review) => {
  const script = scripts.get(review.script)
  expect(script?.isPublic).toBe(true)
  expect(script?.createdDaysAgo).toBeGreaterThanOrEqual(review.daysAgo)
  expect(members.get(review.member)?.joinedDaysAgo).toBeGreaterThanOrEqual(review.daysAgo)
})

test('there are enough ratings, reviews, long lists and scripts without any', () => {
  const written = demoReviews.filter((review) => review.review !== null)
  const perScript = demoScripts.map(({ file }) => written.filter((review) => review.script === file).length)
  expect(demoReviews.length).toBeGreaterThanOrEqual(120)
  expect(written.length).toBeGreaterThanOrEqual(70)
  expect(perScript.filter((number) => number >= 6).length).toBeGreaterThanOrEqual(5)
  expect(perScript.filter((number) => number === 0).length).toBeGreaterThanOrEqual(3)
  expect(written.some((review) => /^[\p{Extended_Pictographic}\p{M}\u200d]+$/u.test(review.review ?? ''))).toBe(true)
})

test('giveaways have their entrants once each, and no more than there is room for', () => {
  expect(demoGiveaways).toHaveLength(5)
  for (const { entrants, maxEntries, winnerCount } of demoGiveaways) {
    expect(winnerCount).toBeGreaterThanOrEqual(1)
    expect(new Set(entrants).size).toBe(entrants.length)
    expect(entrants.length).toBeLessThanOrEqual(maxEntries ?? Infinity)
    expect(entrants.filter((key) => !members.has(key))).toEqual([])
  }
})

test('every winner of a key gets a line of the prize', () => {
  const short = demoGiveaways
    .filter((giveaway) => giveaway.prizeType === 'exec_key')
    .filter((giveaway) => giveaway.prizeValue.split('\n').length < giveaway.winnerCount)
  expect(short).toEqual([])
})

test('only members with a verified email have entered where one is asked for', () => {
  const strict = demoGiveaways.filter((giveaway) => giveaway.entryRequirement === 'verified')
  const unverified = strict.flatMap((giveaway) => giveaway.entrants.filter((key) => !members.get(key)?.emailVerified))
  expect(strict.length).toBeGreaterThan(0)
  expect(unverified).toEqual([])
})
