import { openAs } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, test, onEachDevice } from './page.ts'
import { expectToast, openPortal } from './portal.ts'
import { currentSite } from './site.ts'

onEachDevice(() => {
  test('moderators see what scripts do and mark a host', async ({ page }) => {
    const host = await currentSite().addContactedHost()
    await openAs(page, 'okapi', '/moderation/behavior')
    await expect(page.getByRole('heading', { level: 2, name: 'Script behavior' })).toBeAttached()
    await page.getByRole('searchbox', { name: 'Search hosts' }).fill(host)
    const row = page.getByRole('list', { name: 'Hosts' }).getByRole('listitem')
    // Until the search has ended, the previous hosts are dimmed.
    await expect(row).toHaveCount(1)
    await expect(row).toContainText(host)
    await expect(row).toContainText('1 script')
    await expectNoOverflow(page)
    await expectAccessible(page)
    await row.getByRole('button', { name: /^Flag as data collector/ }).focus()
    await page.keyboard.press('Enter')
    await expectToast(page, 'Marked as a collector')
    await expect(row.getByText('Collector', { exact: true })).toBeVisible()
    await expectAccessible(page)

    await openPortal(page, '/admin/behavior')
    await expect(page.getByRole('heading', { level: 3, name: 'Findings' })).toBeVisible()
    await expectNoOverflow(page)
    await expectAccessible(page)
    await page
      .getByRole('list', { name: 'Findings' })
      .getByRole('link', { name: 'Sends data about the player' })
      .click()
    await expect(page).toHaveURL('/scripts?uses=net.exfiltration')
    await expect(page.getByRole('article').first()).toBeVisible()
  })
})
