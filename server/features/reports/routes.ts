import type { BodyOf } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { appeal } from './appeal.ts'
import { decide } from './decide.ts'
import type { Messages } from './hide.ts'
import { moderate } from './moderate.ts'
import { findOwnCases } from './own-cases.ts'
import { getCase, listCases } from './queue.ts'
import { reportSubject } from './report.ts'

export interface ReportsOptions extends Messages {
  db: Database
}

const MESSAGES: Record<BodyOf<'PUT /api/reports'>['action'], string> = {
  claim: 'Report claimed',
  release: 'Report released',
  resolve: 'Report resolved',
  dismiss: 'Report dismissed',
  hide: 'Hidden',
  unhide: 'Visible again',
  uphold: 'Decision upheld',
  grant: 'Appeal granted',
}

const SUBJECTS = { script: 'Script', review: 'Review', comment: 'Comment', collection: 'Collection' }

// Muted members may report and appeal: only moderators read what they write there.
export function registerReports(app: App, { db, ...messages }: ReportsOptions): void {
  serve(app, 'POST /api/reports', async ({ body, caller, reply }) => {
    await reportSubject(db, caller.id, body)
    reply.code(201)
    return { message: 'Thanks. A moderator will review it.' }
  })
  serve(app, 'GET /api/reports', ({ query, caller }) => listCases(db, caller, query))
  serve(app, 'PUT /api/reports', async ({ body, caller }) => {
    await decide({ db, ...messages }, caller.id, body)
    return { message: MESSAGES[body.action], case: await getCase(db, caller, body.id) }
  })
  serve(app, 'GET /api/own-cases', ({ caller }) => findOwnCases(db, caller.id))
  serve(app, 'POST /api/appeals', async ({ body, caller, reply }) => {
    await appeal(db, caller.id, body.case_id, body.text)
    reply.code(201)
    return { message: 'Appeal sent. A different moderator will review it.' }
  })
  serve(app, 'POST /api/moderation', async ({ body, caller }) => {
    await moderate({ db, ...messages }, caller.id, body)
    const subject = SUBJECTS[body.subject_type]
    return { message: `${subject} ${body.action === 'hide' ? 'hidden' : 'visible again'}` }
  })
}
