import { describe, expect, test } from 'vitest'
import { isPath, isPattern, toMatcher } from './pattern.ts'

describe('a pattern', () => {
  test.each([
    ['src/lamp.luau', ['src/lamp.luau'], ['lamp.luau', 'src/lamp_luau', 'src/Lamp.luau', 'a/src/lamp.luau']],
    ['*.luau', ['lamp.luau', '.hidden.luau'], ['src/lamp.luau', 'lamp.lua']],
    ['src/**/lamp.{lua,luau}', ['src/lamp.lua', 'src/a/b/lamp.luau'], ['lamp.lua', 'src/lamp.txt', 'src/blamp.lua']],
    ['**/lamp.luau', ['lamp.luau', 'a/b/lamp.luau'], ['a/lamp.luau/b']],
    ['dist/lamp-*.luau', ['dist/lamp-1.2.luau'], ['dist/lamp-1/2.luau']],
    ['スクリプト/lamp $1.luau', ['スクリプト/lamp $1.luau'], ['スクリプト/lamp.luau']],
  ])('%s matches its files only', (pattern, matching, others) => {
    expect(isPattern(pattern)).toBe(true)
    const matches = toMatcher(pattern)
    expect([matching.filter(matches), others.filter(matches)]).toEqual([matching, []])
  })

  test.each([
    '',
    '/lamp.luau',
    'src//lamp.luau',
    'src/',
    '../lamp.luau',
    'src/../../lamp.luau',
    './lamp.luau',
    'src\\lamp.luau',
    'a\u0000b',
    '*a*a*a*b',
    '**/a/**/b',
    'a**b',
    '{a,b}/{c,d}.luau',
    '{a/b,c}.luau',
    '+(a|aa)b',
    '!(lamp).luau',
    '[a-z].luau',
    '{a,{b,c}}',
    'lamp?.luau',
    'x'.repeat(201),
  ])('%j is rejected', (pattern) => {
    expect(isPattern(pattern)).toBe(false)
  })

  test('never matches a path that leaves the repository', () => {
    const matches = toMatcher('**/lamp.luau')
    const paths = ['../lamp.luau', 'a/../../lamp.luau', './lamp.luau', '/lamp.luau', 'a//lamp.luau', 'a\\..\\lamp.luau']
    expect(paths.filter((path) => matches(path) || isPath(path))).toEqual([])
  })

  test('matches hostile paths in linear time', () => {
    const matches = toMatcher(`**/${'a'.repeat(50)}*${'a'.repeat(50)}b.{lua,luau}`)
    const started = performance.now()
    for (let i = 0; i < 2000; i++) matches(`${'a/'.repeat(100)}${'a'.repeat(290)}c`)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
