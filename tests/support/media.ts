import { sql } from 'kysely'
import type { MediaStore } from '#server/platform/media/store.ts'
import { MediaSweep } from '#server/platform/media/sweep.ts'
import type { TestApp } from './app.ts'

/** Ages unused images by some hours. */
export const advanceHours = ({ db }: TestApp, hours: number) =>
  sql`update media set unused_since = unused_since - make_interval(hours => ${hours})`.execute(db)

export const isStored = async ({ db, app }: TestApp, hash: string) => {
  const row = await db.selectFrom('media').select('hash').where('hash', '=', hash).executeTakeFirst()
  const sizes = await Promise.all(['', '-card'].map((size) => app.inject(`/media/${hash}${size}.webp`)))
  const states = [row !== undefined, ...sizes.map(({ statusCode }) => statusCode === 200)]
  if (new Set(states).size > 1) throw new Error(`partly stored: ${states.join()}`)
  return states[0]
}

/** A store that blocks before removing anything, until `resume` is called. */
export function makeSlowStore(store: MediaStore) {
  const reached = Promise.withResolvers<string>()
  const resume = Promise.withResolvers<void>()
  const slow: MediaStore = {
    ...store,
    async remove(name) {
      reached.resolve(name)
      await resume.promise
      await store.remove(name)
    },
  }
  return { slow, reached: reached.promise, resume: resume.resolve }
}

export const openSweep = ({ db, app }: TestApp, store: MediaStore, rangeSize?: number) =>
  new MediaSweep(db, store, app.log, rangeSize)
