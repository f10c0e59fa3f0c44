import { expect, expectGoodOnEachScreen, open, test } from './page.ts'

test('a new member is greeted with three next steps, and never again after dismissing it', async ({
  page,
  signInAs,
}) => {
  const welcome = (on: typeof page) => on.getByRole('region', { name: /^Welcome, / })
  await open(page, '/')
  await expect(welcome(page)).toHaveCount(0)

  const member = await signInAs('Someone new', '/')
  await expect(welcome(member).getByRole('listitem')).toHaveCount(3)
  await expectGoodOnEachScreen(member)
  await welcome(member).getByRole('link', { name: 'Complete your profile' }).click()
  await expect(member).toHaveURL('/profile/settings')
  await member.goto('/?search=camera')
  await expect(member.getByRole('article').first()).toBeVisible()
  await expect(welcome(member)).toHaveCount(0)

  await member.goto('/')
  await welcome(member).getByRole('button', { name: 'Dismiss the welcome' }).press('Enter')
  await expect(welcome(member)).toHaveCount(0)
  await expect(member.getByRole('main')).toBeFocused()
  await member.reload()
  await expect(member.getByRole('button', { name: /^Account of / })).toBeVisible()
  await expect(welcome(member)).toHaveCount(0)
})
