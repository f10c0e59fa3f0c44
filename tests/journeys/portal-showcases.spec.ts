import { callApi } from './members.ts'
import { expect, test } from './page.ts'
import { openPortal, expectToast, unique } from './portal.ts'

test('a script is showcased, announced and removed again', async ({ page, signInAs }) => {
  const author = await signInAs('Someone new')
  const boat = unique('Paper boat')
  const body = { title: boat, description: 'A script.', script_content: 'print(1)' }
  expect((await callApi(author, 'POST', '/api/scripts', body)).status).toBe(201)
  await openPortal(page, '/admin/showcases')
  await page.getByRole('searchbox', { name: 'Search by title or author' }).fill(boat)
  const card = page.getByRole('article').filter({ hasText: boat })
  await expect(card).toHaveCount(1)
  const showcased = card.getByRole('switch', { name: 'Showcased', exact: true })
  const states = await showcased.evaluateHandle((element) => {
    const seen: (string | null)[] = []
    const observer = new MutationObserver(() => seen.push(element.getAttribute('aria-checked')))
    observer.observe(element, { attributeFilter: ['aria-checked'] })
    return seen
  })
  await showcased.check()
  await expectToast(page, 'Script added to showcase')
  await card.getByRole('button', { name: /^Edit details/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Showcase Details' })
  const video = dialog.getByLabel('YouTube video URL')
  await expect(video).toBeFocused()
  await video.fill('https://example.com/video')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'Failed to update showcase details')
  await video.fill('https://youtu.be/dQw4w9WgXcQ')
  await dialog.getByLabel('Showcase date').fill('2026-01-02')
  await dialog.getByLabel('Notes').fill('It floats.')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'Showcase details updated successfully')
  await expect(card).toContainText('Jan 2, 2026')
  await expect(card).toContainText('It floats.')
  await expect(card.getByRole('link', { name: /Video/ })).toHaveAttribute('href', /dQw4w9WgXcQ/)
  // The switch has not gone back before the list was loaded again.
  expect(await states.jsonValue()).toEqual(['true'])
  const only = page.getByRole('switch', { name: 'Showcased Only' })
  await only.click()
  await expect(only).toBeChecked()
  await expect(page).toHaveURL(/showcased=true/)
  await expect(card).toHaveCount(1)
  // Not uncheck(), which reads the switch again: it is removed with its card.
  await showcased.click()
  await expectToast(page, 'Script removed from showcase')
  await expect(page.getByText('No showcased scripts')).toBeVisible()
  await only.click()
  await showcased.check()
  await expect(card).toContainText('Jan 2, 2026')
  await expect(card).toContainText('It floats.')
})
