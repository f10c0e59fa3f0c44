import { expect, test } from 'vitest'
import { type BrandingForm, changedFields, findErrors, mergeForms, newLink } from './branding-form.ts'

const BASE: BrandingForm = {
  name: 'Yard',
  tagline: '',
  accent_dark: null,
  accent_light: null,
  chat_url: '',
  links: [],
  rules: '',
  terms: '',
  privacy: '',
  logo: undefined,
}

test('merges the changes of two admins, and names the fields that both changed', () => {
  const mine = { ...BASE, name: 'Mine', rules: 'My rules.' }
  const theirs = { ...BASE, name: 'Theirs', tagline: 'Their text.' }
  expect(mergeForms(BASE, mine, theirs)).toEqual({
    form: { ...BASE, name: 'Mine', rules: 'My rules.', tagline: 'Their text.' },
    both: ['Name'],
  })
  expect(mergeForms(BASE, { ...BASE, name: 'Same' }, { ...BASE, name: 'Same' }).both).toEqual([])
})

test('a link that was added and removed again is no change', () => {
  const links = [{ ...newLink(), label: 'A', url: '/a' }]
  expect(changedFields({ ...BASE, links }, BASE)).toEqual(['links'])
  const sameLinks = [{ ...newLink(), label: 'A', url: '/a' }]
  expect(changedFields({ ...BASE, links }, { ...BASE, links: sameLinks })).toEqual([])
})

test('finds colors that cannot be read and incomplete links before they are sent', () => {
  expect(findErrors(BASE)).toEqual({})
  expect(findErrors({ ...BASE, accent_dark: '#333333', links: [newLink()] })).toEqual({
    accent_dark: expect.stringContaining('hard to read in the dark theme'),
    links: 'Each link needs a label and a URL.',
  })
  expect(findErrors({ ...BASE, accent_light: 'blue' }).accent_light).toBe('Enter a color such as #7c3aed.')
})
