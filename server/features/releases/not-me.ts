// The page behind "This wasn't me" in an email about a held version. It needs no session: the link is signed, for one version.
import type { FastifyReply } from 'fastify'
import { acceptBodies, MAX_FORM_BYTES, readToken, sendPage } from '#server/features/email/link-pages.ts'
import type { EmailLinks } from '#server/features/email/links.ts'
import type { Page } from '#server/features/email/pages.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { App } from '#server/platform/http/app.ts'
import { disownVersion } from './decisions.ts'

export interface NotMeOptions {
  db: Database
  links: EmailLinks
  siteName: () => string
}

const HOME = { label: 'Open the front page', path: '/' }
const SIGN_IN_AGAIN = 'Sign in again, and change your Discord password if somebody else may know it.'

const EXPIRED: Page = {
  title: 'This link does not work any more',
  text: 'It is not complete, is older than 30 days, or the script was deleted. You can discard a version on the page of its script.',
  link: HOME,
}

export function serveNotMe(app: App, { db, links, siteName }: NotMeOptions): void {
  const send = (reply: FastifyReply, page: Page, status = 200) =>
    sendPage(reply, { page, siteName: siteName(), status })
  app.register(async (scope) => {
    acceptBodies(scope)
    scope.get('/email/not-me', async (request, reply) => {
      const token = readToken(request)
      const version = links.readNotMe(token)
      const script = version && (await findVersion(db, version.scriptId, version.number))
      if (!script) return send(reply, EXPIRED, 404)
      return send(reply, {
        title: "You didn't publish this version?",
        text: `This discards version ${script.version} of “${script.title}”, revokes the API token that published it, and signs you out everywhere.`,
        button: {
          label: 'Discard it and sign out everywhere',
          action: `/email/not-me?token=${encodeURIComponent(token)}`,
        },
        link: { label: 'No, it was me', path: HOME.path },
      })
    })
    scope.post('/email/not-me', { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
      const version = links.readNotMe(readToken(request))
      const result = version && (await disownVersion({ db }, version))
      if (!result) return send(reply, EXPIRED, 404)
      if (result.isDiscarded) {
        return send(reply, {
          title: 'The version is discarded',
          text: `Nobody got it. The token that published it is revoked and all your sessions have ended. ${SIGN_IN_AGAIN}`,
          link: HOME,
        })
      }
      return send(reply, {
        title: 'You are signed out everywhere',
        text: `The version no longer waits, so look at the versions of your script. The token that published it is revoked. ${SIGN_IN_AGAIN}`,
        link: HOME,
      })
    })
  })
}

async function findVersion(
  db: Database,
  scriptId: number,
  number: number,
): Promise<{ title: string; version: string } | undefined> {
  return db
    .selectFrom('script_versions as v')
    .innerJoin('scripts as s', 's.id', 'v.script_id')
    .select(['s.title', 'v.version'])
    .where('v.script_id', '=', scriptId)
    .where('v.number', '=', number)
    .executeTakeFirst()
}
