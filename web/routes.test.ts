import { existsSync } from 'node:fs'
import type { Route } from '#web/router/routes.ts'
import { expect, test } from 'vitest'
import { routes } from './routes.tsx'

const idsOf = (route: Route): string[] => [route.id ?? '', ...(route.children ?? []).flatMap(idsOf)]

test('names an existing file for every lazy route', () => {
  const files = routes.flatMap(idsOf).filter((id) => !['root', 'script', 'not-found'].includes(id))
  expect(files.length).toBeGreaterThan(15)
  expect(files.filter((file) => !existsSync(file))).toEqual([])
})
