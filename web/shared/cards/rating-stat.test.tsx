import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RatingStat } from './rating-stat.tsx'

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test.each([
  [{ average: 0, count: 0 }, 'Rating 0.0 (no ratings yet) New'],
  [{ average: 0, count: 0, unrated: 'No ratings yet' }, 'Rating 0.0 (no ratings yet) No ratings yet'],
  [{ average: 4, count: 1 }, 'Rating 4.0 from 1 rating'],
])('a rating of %j reads %s', (props, text) => {
  expect(textOf(renderToStaticMarkup(<RatingStat {...props} />))).toBe(text)
})
