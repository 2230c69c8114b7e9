/** The signers of all platforms. Some have several: for each of the ways in which their platform signs. */
import { a } from './a.fixture.ts'
import { b } from './b.fixture.ts'
import { c } from './c.fixture.ts'
import { d } from './d.fixture.ts'
import { e } from './e.fixture.ts'
import { g } from './g.fixture.ts'
import { h } from './h.fixture.ts'
import { l } from './l.fixture.ts'
import { m } from './m.fixture.ts'
import { n } from './n.fixture.ts'
import { r } from './r.fixture.ts'
import { rotations } from './rotations.fixture.ts'
import { s, t } from './s.fixture.ts'
import type { Signer } from './signer.fixture.ts'
import { u } from './u.fixture.ts'

export const SIGNERS: readonly Signer[] = [
  ...a,
  ...b,
  ...c,
  ...d,
  ...e,
  ...g,
  ...h,
  ...l,
  ...m,
  ...n,
  ...r,
  ...s,
  ...t,
  ...u,
  ...rotations,
]
