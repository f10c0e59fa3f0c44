import { callApi, openAs, readOwnProfile } from './members.ts'
import { expect, test, expectAccessible, type Page } from './page.ts'
import { openPortal, expectToast, unique } from './portal.ts'

const card = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** Leaves time to enter. */
const ENDS_IN_MS = 6000

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

async function create(page: Page, title: string, keys: string): Promise<void> {
  await page.getByRole('button', { name: 'Create giveaway' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create giveaway' })
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('Keys').fill(keys)
  await dialog.getByLabel('End date').fill(tomorrow())
  await dialog.getByRole('button', { name: 'Create giveaway' }).click()
  await expectToast(page, 'Giveaway created successfully')
}

async function readGiveaways(page: Page) {
  const { data } = JSON.parse((await callApi(page, 'GET', '/api/giveaways?admin=true')).text) as {
    data: { giveaways: { id: number; title: string; is_ended: boolean }[] }
  }
  return data.giveaways
}

test('a giveaway is created, edited and deleted, and winners are selected once, even before the end', async ({
  page,
  signInAs,
}) => {
  await openPortal(page, '/admin/giveaways')

  await test.step('the form starts with defaults and shows errors at the fields', async () => {
    await page.getByRole('button', { name: 'Create giveaway' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create giveaway' })
    await expect(dialog.getByLabel('Title')).toBeFocused()
    await expect(dialog.getByLabel('Winners')).toHaveValue('1')
    await expect(dialog.getByLabel('Winners')).toHaveAttribute('max', '50')
    await expect(dialog.getByLabel('Max entries')).toHaveValue('')
    await expect(dialog.getByLabel('Entry requirement')).toHaveValue('login')
    await expect(dialog.getByLabel('Prize type').getByRole('option')).toHaveText(['License key', 'Custom prize'])
    await expect(dialog.getByRole('switch')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Create giveaway' }).click()
    await expect(dialog.getByLabel('End date')).toBeFocused()
    await expect(dialog.getByText('Choose an end date.')).toBeVisible()
    await dialog.getByLabel('Prize type').selectOption({ label: 'Custom prize' })
    await expect(dialog.getByLabel('Keys')).toHaveCount(0)
    await dialog.getByLabel('Prize type').selectOption({ label: 'License key' })
    await dialog.getByLabel('Title').fill('Too few')
    await dialog.getByLabel('Keys').fill('one')
    await dialog.getByLabel('Winners').fill('51')
    await dialog.getByLabel('End date').fill(tomorrow())
    await dialog.getByRole('button', { name: 'Create giveaway' }).click()
    await expectToast(page, 'Winners must be at most 50.')
    await dialog.getByLabel('Winners').fill('2')
    await dialog.getByLabel('End date').fill(tomorrow())
    await dialog.getByRole('button', { name: 'Create giveaway' }).click()
    await expectToast(page, 'Failed to create giveaway')
    await expect(dialog.getByLabel('Keys')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  await test.step('a giveaway is created, edited and deleted, and its prizes are shown', async () => {
    const name = unique('Two lanterns')
    await create(page, name, 'KEY-1\nKEY-2')
    await expect(card(page, name)).toContainText('Active')
    await expect(card(page, name).getByRole('button', { name: /Winners/i })).toHaveCount(0)
    await page.getByRole('button', { name: `Edit ${name}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit giveaway' })
    await expect(dialog.getByLabel('Keys')).toHaveValue('')
    await dialog.getByLabel('Max entries').fill('5')
    await dialog.getByRole('switch', { name: 'Active' }).uncheck()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expectToast(page, 'Giveaway updated successfully')
    await expect(card(page, name)).toContainText('Inactive')
    await expect(card(page, name)).toContainText('0 of 5')
    await page.getByLabel('Status').selectOption({ label: 'Active' })
    await expect(card(page, name)).toHaveCount(0)
    await page.getByLabel('Status').selectOption({ label: 'Inactive' })
    await page.getByRole('button', { name: `Prizes of ${name}` }).click()
    await expect(page.getByText('KEY-1')).toHaveCount(0)
    await page.getByRole('button', { name: 'Show prizes' }).click()
    await expect(page.getByText('KEY-1')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await expect(page.getByRole('alertdialog').getByText(/This action cannot be undone\.$/)).toBeVisible()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Giveaway deleted successfully')
    await expect(card(page, name)).toHaveCount(0)
    await page.getByLabel('Status').selectOption({ label: 'All' })
  })

  await test.step('winners are selected once, even before the end', async () => {
    const name = unique('One kite')
    await create(page, name, 'KITE')
    const id = (await readGiveaways(page)).find(({ title }) => title === name)?.id
    const member = await signInAs('Someone new')
    expect((await callApi(member, 'POST', '/api/giveaways', { action: 'enter', giveaway_id: id })).status).toBe(200)
    await page.getByRole('button', { name: 'Refresh Data' }).click()
    await card(page, name).getByRole('button', { name: 'Select Winners' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Select Winners' })
    await expect(dialog).toContainText('This action cannot be undone.')
    await dialog.getByRole('button', { name: 'Select Winners' }).click()
    await expectToast(page, 'Winners selected successfully')
    await expect(card(page, name)).toContainText('Ended')
    await expect(card(page, name)).toContainText('Won by')
    await expect(card(page, name).getByRole('button', { name: /Winners/i })).toHaveCount(0)
    await page.getByRole('button', { name: `Edit ${name}` }).click()
    await expect(page.getByRole('dialog').getByLabel('End date')).toBeDisabled()
  })
})

test('winners of an ended giveaway are drawn, notified and shown', async ({ page, signInAs }) => {
  const title = unique('Late bell')
  const member = await signInAs('Someone new')
  const name = (await readOwnProfile(member)).username
  await openAs(page, 'marlow')
  const end_date = new Date(Date.now() + ENDS_IN_MS).toISOString()
  const values = { title, description: '', prize_type: 'exec_key', prize_value: 'BELL-1', end_date, winner_count: 1 }
  const made = await callApi(page, 'POST', '/api/giveaways', values)
  const { id } = (JSON.parse(made.text) as { giveaway: { id: number } }).giveaway
  expect((await callApi(member, 'POST', '/api/giveaways', { action: 'enter', giveaway_id: id })).status).toBe(200)
  await expect.poll(async () => (await readGiveaways(page)).find((giveaway) => giveaway.id === id)?.is_ended).toBe(true)
  await page.goto('/admin/giveaways?status=ended')
  const draw = card(page, title).getByRole('button', { name: 'Draw winners' })
  await expect(draw).toBeVisible()
  await expect(card(page, title)).toContainText('Ended')
  await draw.click()
  const dialog = page.getByRole('alertdialog', { name: 'Draw winners' })
  await expect(dialog).toContainText(`select 1 winner of "${title}" from 1 entry? This notifies the winners.`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Draw winners' }).click()
  await expectToast(page, 'Winners selected successfully')
  await expect(card(page, title)).toContainText(`Won by ${name}`)
  await expect(draw).toHaveCount(0)
  expect((await callApi(page, 'POST', '/api/giveaways', { action: 'select-winners', giveaway_id: id })).status).toBe(
    409,
  )
  await member.goto('/giveaways')
  await expect(card(member, title)).toContainText('BELL-1')
})
