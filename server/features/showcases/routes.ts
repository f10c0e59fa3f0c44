import { fieldError } from '#server/platform/http/field-errors.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { addShowcase, changeShowcase, removeShowcase, type ShowcasesOptions } from './service.ts'

export function registerShowcases(app: App, options: ShowcasesOptions): void {
  serve(app, 'POST /api/showcases', async ({ body, caller }) => ({
    message: 'Script added to showcase',
    script: await addShowcase(options, body, caller.id),
  }))
  serve(app, 'PUT /api/showcases', async ({ body, caller }) => ({
    message: 'Showcase details updated successfully',
    script: await changeShowcase(options, body, caller.id),
  }))
  serve(app, 'DELETE /api/showcases', async ({ query, body, caller }) => {
    const scriptId = body.script_id ?? query.script_id
    if (scriptId === undefined) throw fieldError('script_id', 'is required')
    return { message: 'Script removed from showcase', script: await removeShowcase(options, scriptId, caller.id) }
  })
}
