import { expect, test } from 'vitest'
import { writeState } from './page-state.ts'

test('escapes text that looks like markup', () => {
  const nasty = '</script><script>alert(1)</script><!-- \u2028\u2029'
  const html = writeState({ loaderData: { page: { nasty } }, errors: null })
  expect(html.match(/<\/?script/g)).toHaveLength(2)
  expect(html).not.toContain('<!--')
  const json = html.slice(html.indexOf('>') + 1, html.lastIndexOf('</script>'))
  expect(JSON.parse(json)).toMatchObject({ loaderData: { page: { nasty } } })
})
