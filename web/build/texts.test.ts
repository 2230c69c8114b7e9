/** Every text of the pages has a German one with the same places for values, and none is left over. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'

const SOURCES = new URL('../src/', import.meta.url)
const TEXT = /\bt\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g

function textsOfPages(): Set<string> {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).filter(
    (path) => !path.startsWith('generated'),
  )
  const texts = files.flatMap((path) =>
    [...readFileSync(new URL(path, SOURCES), 'utf8').matchAll(TEXT)].map(([, single, double]) =>
      (single ?? double ?? '').replaceAll("\\'", "'"),
    ),
  )
  return new Set(texts)
}

const catalog = JSON.parse(readFileSync(new URL('texts/de.json', SOURCES), 'utf8')) as Record<
  string,
  string
>
const placesOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\w+\}/g)].map(([place]) => place))].toSorted()

test('the German catalog has each text of the pages and no other', () => {
  const texts = textsOfPages()
  expect(texts.size).toBeGreaterThan(100)
  expect(Object.keys(catalog).toSorted()).toEqual([...texts].toSorted())
})

test('a translation has the places of its text', () => {
  const wrong = Object.entries(catalog).filter(
    ([text, translated]) => placesOf(text).join() !== placesOf(translated).join(),
  )
  expect(wrong).toEqual([])
})
