import { expect, test, expectAccessible, type Page } from './page.ts'
import { openSettings, save } from './settings.ts'

const SHOWN: [label: string, text: string][] = [
  ['Show location', 'Kraków, Poland'],
  ['Show website', 'example.com/umit'],
  ['Show social links', 'github.com/umit'],
]

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Location').fill('Kraków, Poland')
  await page.getByLabel('Website').fill('https://example.com/umit')
  await page.getByLabel('GitHub').fill('https://github.com/umit')
  await page.getByLabel('Bio').fill('I build docks.')
  await save(page)
  await page.getByRole('tab', { name: 'Privacy' }).click()
}

const toggle = (page: Page, label: string) => page.getByRole('switch', { name: label }).click()

test('each privacy switch hides its data from visitors, but not from the owner', async ({ page, openVisitor }) => {
  const username = await openSettings(page)
  await fillIn(page)
  await expect(page.getByRole('switch', { name: 'Show email address' })).not.toBeChecked()
  await expectAccessible(page)
  const visitor = await openVisitor()
  const openProfile = () => visitor.goto(`/profile/${username}`)
  await openProfile()
  for (const [, text] of SHOWN) await expect(visitor.getByText(text)).toBeVisible()
  await expect(visitor.getByText(`${username}@example.com`)).toHaveCount(0)

  const all = [...SHOWN.map(([label]) => label), 'Show script stats', 'Show recent activity']
  for (const label of [...all, 'Show email address']) await toggle(page, label)
  await save(page)
  await openProfile()
  for (const [, text] of SHOWN) await expect(visitor.getByText(text)).toHaveCount(0)
  await expect(visitor.getByText('Stats hidden')).toBeVisible()
  await expect(visitor.getByText('Last Seen')).toHaveCount(0)
  await expect(visitor.getByText('Member Since')).toBeVisible()
  await expect(visitor.getByText(`${username}@example.com`)).toBeVisible()
  await expectAccessible(visitor)

  await page.getByRole('link', { name: 'Your profile' }).click()
  for (const [, text] of SHOWN) await expect(page.getByText(text)).toBeVisible()
  await expect(page.getByText('Last Seen')).toBeVisible()
  await expect(page.getByText('Hidden from others').first()).toBeAttached()
  await expectAccessible(page)

  await page.goto('/profile/settings?tab=privacy')
  for (const label of all) await toggle(page, label)
  await save(page)
  await openProfile()
  for (const [, text] of SHOWN) await expect(visitor.getByText(text)).toBeVisible()
  await expect(visitor.getByText('Last Seen')).toBeVisible()
})

test('a private profile shows only name and image to others, until it is public again', async ({
  page,
  openVisitor,
}) => {
  const username = await openSettings(page)
  await fillIn(page)
  await page.getByRole('radio', { name: /^Private/ }).check()
  await expect(page.getByText('These apply when your profile is public.')).toBeVisible()
  await save(page)
  await expectAccessible(page)
  const visitor = await openVisitor()
  await visitor.goto(`/profile/${username}`)
  await expect(visitor.getByText('This profile is private')).toBeVisible()
  await expect(visitor.getByText('I build docks.')).toHaveCount(0)
  await page.getByRole('link', { name: 'Your profile' }).click()
  await expect(page.getByText('I build docks.')).toBeVisible()
  await expect(page.getByText('Private profile: others see only its name and avatar')).toBeVisible()
  await page.goto('/profile/settings?tab=privacy')
  await page.getByRole('radio', { name: /^Public/ }).check()
  await save(page)
  await visitor.reload()
  await expect(visitor.getByText('I build docks.')).toBeVisible()
})
