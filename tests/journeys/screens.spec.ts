import {
  expect,
  test,
  open,
  expectAccessible,
  expectGoodOnEachScreen,
  expectNoOverflow,
  findScript,
  onEachScreen,
  type Page,
} from './page.ts'

const LONG_NAME = '/profile/theodora_longstocking_the_second'

/** Paths of screens, in groups that one test opens one after the other. */
const groups: Record<string, Record<string, string>> = {
  'lists of scripts, showcases and giveaways': {
    'a filtered list': '/?tags=ui&free_only=true&sort=title',
    'an empty list': '/?search=qqqqqq',
    'the popular scripts': '/popular',
    'the showcases': '/showcases',
    'the giveaways': '/giveaways',
    'a draw': '/giveaways/4/draw',
  },
  'texts and missing pages': {
    'how scripts are checked': '/behavior',
    'the rules': '/rules',
    'the privacy policy': '/privacy',
    'the terms': '/terms',
    'the chat page': '/discord',
    'an unknown URL': '/nowhere',
    'an unknown script': '/scripts/none-999999',
  },
  profiles: {
    "an admin's profile": '/profile/marlow',
    'a profile with a long name': LONG_NAME,
    "a member's scripts": `${LONG_NAME}?tab=scripts`,
    'a private profile': '/profile/sable',
    'an unknown member': '/profile/nobody_at_all',
  },
}

/** Screens that fit at other widths, too. */
const onEveryWidth = new Set(['/terms', LONG_NAME])

async function expectNoOverflowAtEveryWidth(page: Page): Promise<void> {
  const size = page.viewportSize()
  for (const width of [320, 768, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoOverflow(page)
  }
  if (size) await page.setViewportSize(size)
}

for (const [group, screens] of Object.entries(groups)) {
  test(`${group} fit a desktop and a phone and are accessible`, async ({ page }) => {
    for (const [name, path] of Object.entries(screens)) {
      await test.step(name, async () => {
        await open(page, path)
        await expectGoodOnEachScreen(page)
        if (onEveryWidth.has(path)) await expectNoOverflowAtEveryWidth(page)
      })
    }
  })
}

test('the script browser, its filters and the terms in a dialog fit the screen and are accessible', async ({
  page,
}) => {
  await open(page, '/')
  await expectGoodOnEachScreen(page)
  await expectNoOverflowAtEveryWidth(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await onEachScreen(page, () => expectAccessible(page))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'More Filters' }).click()
  await expect(page.getByRole('button', { name: 'Apply Filters' })).toBeVisible()
  await onEachScreen(page, () => expectAccessible(page))
})

test('the API page fits the screen and is accessible, and its examples can be run', async ({ page }) => {
  await open(page, '/api/docs#get-api-v1-scripts')
  await expectGoodOnEachScreen(page)
  const operation = page.getByRole('region', { name: 'GET /api/v1/scripts', exact: true })
  await operation.getByText('Example', { exact: true }).click()
  await operation.getByRole('button', { name: 'Run' }).click()
  await expect(operation.getByRole('region', { name: 'Response' })).toContainText('"title"')
})

test('scripts fit the screen and are accessible', async ({ page }) => {
  await open(page, await findScript(page, 'settings menu'))
  await expectGoodOnEachScreen(page)
  await open(page, await findScript(page, 'theodora'))
  await expectNoOverflowAtEveryWidth(page)
})
