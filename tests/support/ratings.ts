import type { Notification } from '#contract/notifications.ts'
import type { RatingSummary, Review } from '#contract/ratings.ts'
import type { TestApp } from './app.ts'
import { makeMember, makeScript, signIn } from './factories.ts'

export type Headers = Record<string, string>

export interface Ratings {
  ratings: Review[]
  summary: RatingSummary
  own_rating: Review | null
}

/** A script 'Spring', and Ada, who is signed in and may rate it. */
export async function makeRatingScene({ db }: TestApp) {
  const author = await makeMember(db)
  const script = await makeScript(db, { author_id: author, title: 'Spring' })
  const member = await makeMember(db, { display_name: 'Ada' })
  return { author, script, member, headers: (await signIn(db, member)) as Headers }
}

interface Now {
  site: TestApp
  script: number
  headers: Headers
}

/** Requests about ratings, by default as the current member and about the current script. */
export function ratingRequests(now: () => Now) {
  const urlOf = (id: number | string) => `/api/script-rating?id=${id}`
  const get = (as: Headers = {}, query = '') =>
    now().site.app.inject({ url: `${urlOf(now().script)}${query}`, headers: as })
  return {
    rate: (payload: unknown, as = now().headers, id: number | string = now().script) =>
      now().site.app.inject({ method: 'POST', url: urlOf(id), headers: as, payload: payload as object }),
    remove: (as = now().headers, id = now().script) =>
      now().site.app.inject({ method: 'DELETE', url: urlOf(id), headers: as }),
    reply: (payload: object, as: Headers) =>
      now().site.app.inject({ method: 'PUT', url: '/api/rating-reply', headers: as, payload }),
    get,
    read: async (as: Headers = {}, query = '') => (await get(as, query)).json<Ratings>(),
    /** A member's notifications, newest first. */
    readNotifications: async (id: number) => {
      const { app, db } = now().site
      const response = await app.inject({ url: '/api/user-notifications', headers: await signIn(db, id) })
      const { notifications } = response.json<{ notifications: Notification[] }>()
      return notifications.map(({ title, message, link }) => ({ title, message, link }))
    },
    set: (id: number, columns: object) =>
      now().site.db.updateTable('members').set(columns).where('id', '=', id).execute(),
  }
}
