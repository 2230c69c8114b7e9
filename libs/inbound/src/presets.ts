/** All platforms. Their rows stand in the file of their first letters. */
import type { Preset } from './preset.ts'
import { acAf } from './presets/ac-af.ts'
import { agAm } from './presets/ag-am.ts'
import { anAu } from './presets/an-au.ts'
import { awAz } from './presets/aw-az.ts'
import { baBo } from './presets/ba-bo.ts'
import { brBu } from './presets/br-bu.ts'
import { caCh } from './presets/ca-ch.ts'
import { ciCl } from './presets/ci-cl.ts'
import { coCu } from './presets/co-cu.ts'
import { daDe } from './presets/da-de.ts'
import { diDw } from './presets/di-dw.ts'
import { e } from './presets/e.ts'
import { faFi } from './presets/fa-fi.ts'
import { flFu } from './presets/fl-fu.ts'
import { geGi } from './presets/ge-gi.ts'
import { go } from './presets/go.ts'
import { grGu } from './presets/gr-gu.ts'
import { haHe } from './presets/ha-he.ts'
import { hoHy } from './presets/ho-hy.ts'
import { i } from './presets/i.ts'
import { j } from './presets/j.ts'
import { k } from './presets/k.ts'
import { laLi } from './presets/la-li.ts'
import { maMe } from './presets/ma-me.ts'
import { miMu } from './presets/mi-mu.ts'
import { n } from './presets/n.ts'
import { o } from './presets/o.ts'
import { paPe } from './presets/pa-pe.ts'
import { phPu } from './presets/ph-pu.ts'
import { q } from './presets/q.ts'
import { r } from './presets/r.ts'
import { saSe } from './presets/sa-se.ts'
import { shSn } from './presets/sh-sn.ts'
import { soSq } from './presets/so-sq.ts'
import { st } from './presets/st.ts'
import { suSy } from './presets/su-sy.ts'
import { taTi } from './presets/ta-ti.ts'
import { trTy } from './presets/tr-ty.ts'
import { u } from './presets/u.ts'
import { v } from './presets/v.ts'
import { weWi } from './presets/we-wi.ts'
import { wo } from './presets/wo.ts'
import { x } from './presets/x.ts'
import { y } from './presets/y.ts'
import { z } from './presets/z.ts'

export const ROWS: readonly Preset[] = [
  ...acAf,
  ...agAm,
  ...anAu,
  ...awAz,
  ...baBo,
  ...brBu,
  ...caCh,
  ...ciCl,
  ...coCu,
  ...daDe,
  ...diDw,
  ...e,
  ...faFi,
  ...flFu,
  ...geGi,
  ...go,
  ...grGu,
  ...haHe,
  ...hoHy,
  ...i,
  ...j,
  ...k,
  ...laLi,
  ...maMe,
  ...miMu,
  ...n,
  ...o,
  ...paPe,
  ...phPu,
  ...q,
  ...r,
  ...saSe,
  ...shSn,
  ...soSq,
  ...st,
  ...suSy,
  ...taTi,
  ...trTy,
  ...u,
  ...v,
  ...weWi,
  ...wo,
  ...x,
  ...y,
  ...z,
]

export const PRESETS: ReadonlyMap<string, Preset> = new Map(ROWS.map((row) => [row.source, row]))
