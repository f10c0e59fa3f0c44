import { callApi, openAs } from './members.ts'
import { expect, test } from './page.ts'
import { unique } from './portal.ts'

test('an author opens their private script without seeing that it is missing', async ({ page, signInAs }) => {
  await openAs(page, 'Someone new', '/')
  const title = unique('Hidden lamp')
  const ids: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') ids.push(request.headers()['user-id'])
  })
  const values = { title, description: 'A script.', script_content: 'print(1)', is_public: false }
  const made = await callApi(page, 'POST', '/api/scripts', values)
  const { slug } = (JSON.parse(made.text) as { script: { slug: string } }).script
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const look = () => {
      const heading = document.querySelector('h1')
      if (heading?.checkVisibility()) seen.push(heading.textContent)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.goto(`/scripts/${slug}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).not.toContain(
    'Script Not Found',
  )
  const { id } = JSON.parse((await callApi(page, 'GET', '/api/user-profile')).text) as { id: number }
  await page.getByRole('group', { name: 'Your script' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete script' }).click()
  await expect(page).toHaveURL(/\/scripts$/)
  expect(ids).toContain(String(id))
  const stranger = await signInAs('lin', `/scripts/${slug}`)
  await expect(stranger.getByRole('heading', { name: 'Script Not Found' })).toBeVisible()
})
