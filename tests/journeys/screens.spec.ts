import { expect, test, open, expectAccessible, expectNoOverflow, findScript, onEachDevice } from './page.ts'

const screens: Record<string, string> = {
  'the script browser': '/',
  'a filtered list': '/?tags=ui&free_only=true&sort=title',
  'an empty list': '/?search=qqqqqq',
  'the popular scripts': '/popular',
  'the showcases': '/showcases',
  'the giveaways': '/giveaways',
  'a draw': '/giveaways/4/draw',
  'how scripts are checked': '/behavior',
  'the privacy policy': '/privacy',
  'the terms': '/terms',
  'the chat page': '/discord',
  'the API page': '/api/docs',
  'an unknown URL': '/nowhere',
  'an unknown script': '/scripts/none-999999',
  "an admin's profile": '/profile/marlow',
  'a profile with a long name': '/profile/theodora_longstocking_the_second',
  "a member's scripts": '/profile/theodora_longstocking_the_second?tab=scripts',
  'a private profile': '/profile/sable',
  'an unknown member': '/profile/nobody_at_all',
}

onEachDevice(() => {
  for (const [name, path] of Object.entries(screens)) {
    test(`${name} fits the screen and is accessible`, async ({ page }) => {
      await open(page, path)
      await expectNoOverflow(page)
      await expectAccessible(page)
    })
  }

  test('the examples of the API page can be run', async ({ page }) => {
    await open(page, '/api/docs#get-api-v1-scripts')
    const operation = page.getByRole('region', { name: 'GET /api/v1/scripts', exact: true })
    await operation.getByText('Example', { exact: true }).click()
    await operation.getByRole('button', { name: 'Run' }).click()
    await expect(operation.getByRole('region', { name: 'Response' })).toContainText('"title"')
  })

  test('a script fits the screen and is accessible', async ({ page }) => {
    await open(page, await findScript(page, 'settings menu'))
    await expectNoOverflow(page)
    await expectAccessible(page)
  })

  test('the filters and the dialogs are accessible while open', async ({ page }) => {
    await open(page, '/')
    await page.getByRole('button', { name: 'More Filters' }).click()
    await expect(page.getByRole('button', { name: 'Apply Filters' })).toBeVisible()
    await expectAccessible(page)
    await open(page, '/')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
  })

  for (const width of [320, 768, 2560]) {
    test(`no page overflows at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      const profile = '/profile/theodora_longstocking_the_second'
      for (const path of ['/', await findScript(page, 'theodora'), '/terms', profile]) {
        await open(page, path)
        await expectNoOverflow(page)
      }
    })
  }
})
