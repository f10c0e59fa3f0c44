import { expect, expectAccessible, expectNoOverflow, test, onEachDevice } from './page.ts'
import { expectToast, openPortal, unique } from './portal.ts'
import { currentSite } from './site.ts'

onEachDevice(() => {
  test('an admin deletes a failed job and runs another one again', async ({ page }) => {
    const [first, second] = [unique('The analysis stopped'), unique('The disk is full')]
    await currentSite().addFailedJob(first)
    await currentSite().addFailedJob(second)
    await openPortal(page, '/admin/jobs')
    const jobs = page.getByRole('list', { name: 'Failed jobs' })
    const one = jobs.getByRole('listitem').filter({ hasText: first })
    await expect(one).toContainText('5 attempts')
    await expectNoOverflow(page)
    await expectAccessible(page)

    await one.getByRole('button', { name: /^Delete/ }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Delete job' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Job deleted')
    await expect(one).toHaveCount(0)

    const other = jobs.getByRole('listitem').filter({ hasText: second })
    await other.getByRole('button', { name: /^Run again/ }).click()
    await expectToast(page, 'Job added to the queue again')
    await expect(other).toHaveCount(0)
  })
})
