import { readToken } from './members.ts'
import { expect, expectGoodOnEachScreen, onEachDevice, type Page, test } from './page.ts'
import { arriveAsNewcomer, publishScript } from './publishing.ts'
import {
  codeEditor,
  expectNewScript,
  fillRequired,
  openUpload,
  typeCode,
  upload,
  waitForEditor,
} from './upload-form.ts'

const title = (page: Page) => page.getByRole('textbox', { name: 'Title' })
const offer = (page: Page) => page.getByRole('status').filter({ hasText: 'from another device' })

/** Waits until the newest change has been stored in the browser, then in the account. */
async function expectInAccount(page: Page): Promise<void> {
  await expect(page.getByText('Draft saved in this browser')).toBeVisible()
  await expect(page.getByText('Draft saved in your account')).toBeVisible()
}

/** Signs the member of a page in on another device. */
async function openDevice(page: Page, openVisitor: () => Promise<Page>, path: string): Promise<Page> {
  const device = await openVisitor()
  const token = await readToken(page)
  await device.goto('/terms')
  await device.evaluate((value) => localStorage.setItem('auth_token', value ?? ''), token)
  await device.goto(path)
  await waitForEditor(device)
  return device
}

const readKeys = async (page: Page): Promise<string[]> => {
  const headers = { authorization: `Bearer ${await readToken(page)}` }
  const response = await page.request.get('/api/drafts', { headers })
  return ((await response.json()) as { drafts: { key: string }[] }).drafts.map(({ key }) => key)
}

onEachDevice(() => {
  test('a draft follows the member to another device, and is gone once it is published', async ({
    page,
    openVisitor,
  }) => {
    await arriveAsNewcomer(page)
    await openUpload(page)
    await fillRequired(page, 'Begun at home')
    await expectInAccount(page)
    const device = await openDevice(page, openVisitor, '/upload')
    await expect(offer(device)).toContainText(/Draft from another device, just now: Begun at home/)
    await expect(title(device)).toHaveValue('')
    await expectGoodOnEachScreen(device)
    await offer(device).getByRole('button', { name: 'Use it' }).click()
    await expect(offer(device)).toHaveCount(0)
    await expect(title(device)).toHaveValue('Begun at home')
    await expect(codeEditor(device)).toContainText('print(coins)')
    await title(device).fill('Ended on the way')
    await expectInAccount(device)

    await test.step('the first device shows what the other one has written', async () => {
      await openUpload(page)
      await expect(title(page)).toHaveValue('Ended on the way')
      await expect(offer(page)).toHaveCount(0)
    })
    await test.step('if both write, the newer wins and the older is offered', async () => {
      await title(device).fill('From the other device')
      await expectInAccount(device)
      await title(page).fill('From the first device')
      await expect(offer(page)).toContainText('From the other device')
      await offer(page).getByRole('button', { name: 'Use it' }).click()
      await expect(title(page)).toHaveValue('From the other device')
      await page
        .getByRole('status')
        .filter({ hasText: 'from this browser' })
        .getByRole('button', { name: 'Use it' })
        .click()
      await expect(title(page)).toHaveValue('From the first device')
    })
    await upload(page)
    await expectNewScript(page, 'From the first device')
    expect(await readKeys(page)).toEqual([])
  })
})

test('a draft goes on without a connection, and follows once there is one', async ({ page }) => {
  await arriveAsNewcomer(page)
  await openUpload(page)
  await page.route('**/api/draft*', (route) => route.abort())
  await title(page).fill('Written in a tunnel')
  await expect(page.getByText('Draft saved in this browser')).toBeVisible()
  await page.reload()
  await expect(title(page)).toHaveValue('Written in a tunnel')
  await page.unroute('**/api/draft*')
  await page.reload()
  await expect(title(page)).toHaveValue('Written in a tunnel')
  await expect.poll(() => readKeys(page)).toHaveLength(1)
  await test.step('and is deleted everywhere when it is discarded', async () => {
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await page.getByRole('button', { name: 'Click again to discard' }).click()
    await expect.poll(() => readKeys(page)).toEqual([])
  })
})

test('changes of a script follow to another device, and end when they are published', async ({ page, openVisitor }) => {
  await arriveAsNewcomer(page)
  const path = await publishScript(page, { title: 'A loud clock' })
  await page.goto(`${path}/new-version`)
  await waitForEditor(page)
  await typeCode(page, 'print("tick")\n')
  await page.getByRole('textbox', { name: 'What changed' }).fill('Ticks.')
  await expect.poll(() => readKeys(page)).toEqual([path.split('-').at(-1)])
  const device = await openDevice(page, openVisitor, `${path}/new-version`)
  await expect(device.getByText('We restored your unsaved changes.')).toBeVisible()
  await expect(codeEditor(device)).toContainText('tick')
  await expect(device.getByRole('textbox', { name: 'What changed' })).toHaveValue('Ticks.')
  await device.getByRole('button', { name: 'Publish version' }).click()
  await expect(device).toHaveURL(path)
  await expect.poll(() => readKeys(page)).toEqual([])
})
