// Interim: generated from Python by bench/page_types.py.
export type Colour = "ink" | "compute" | "kv" | "weights" | "links" | "money" | "estimate" | "also" | "muted";
export type Mode = "lecture" | "careful";
export interface Unit { factor: number; prefixes: [string, number][]; written: string; least_digits: number }
export interface ShelfBoard { name: string; title: string; question: string; chapter: string; chapter_title: string; time_stamp: string }
export interface ShelfChapter { name: string; title: string; time_stamp: string; link: string; boards: string[] }
export interface Shelf { version: string; boards: ShelfBoard[]; chapters: ShelfChapter[]; models: string[]; machines: string[]; units: Record<string, Unit> }
export interface Control { name: string; label: string; symbol: string; meaning: string; dimension: string; low: number; high: number; is_whole: boolean; lecture: number | null; careful: number | null; lecture_origin?: string; lecture_time_stamp?: string; hedge?: string }
export interface Claim { id: string; time_stamp: string; claim: string; lecture: number | null; ours_lecture_mode: number | null; ours_careful: number | null; texts: Record<"lecture" | "ours_lecture_mode" | "ours_careful", string>; verdict: string; why: string; link: string; lecture_number: { origin: string; hedge: string } | null; careful_of: string; contrast: string; bridge: { change: string; value: number | null; text: string }[]; ambiguities: { number: number; text: string }[] }
export interface Question { id: string; question: string; asked: string }
export interface Board { name: string; title: string; question: string; caption: string; formula: { tex: string; colour: Colour | null }[]; symbols: { tex: string; meaning: string }[]; time_stamp: string; link: string; model: string; machine: string; takes_facts: boolean; controls: Control[]; claims: Claim[]; exercises: Question[] }
export interface Axis { caption: string; dimension: string; is_logarithmic: boolean; ends?: [number, number]; ticks?: number[] }
export interface Mark { name: string; x: number; y: number; line: string; text: string; colour: Colour }
export interface Line { name: string; colour: Colour; is_bold: boolean; is_floor: boolean; y: number[]; high: number[] | null }
export interface Dots { name: string; x: number[]; y: number[]; labels: string[]; colour: Colour; is_named: boolean }
export interface Curves { x: number[]; lines: Line[]; marks: Mark[]; dots: Dots[]; is_whole: boolean }
export interface Table { first: number; values: number[][]; is_written: boolean; text: string }
export interface Timeline { rows: string[]; blocks: { row: number; start: number; end: number; text: string; colour: Colour }[]; text: string }
export interface Sheet { columns: string[]; rows: string[][]; bold: number[]; text: string }
export interface Schematic { width: number; height: number; boxes: { x: number; y: number; width: number; height: number; text: string; colour: Colour; is_frame: boolean }[]; cables: { x: number; y: number; to_x: number; to_y: number; colour: Colour; text: string; is_arrow: boolean; is_dashed: boolean; width: number }[]; text: string }
interface Common { heading: string; axes: { x: Axis; y: Axis } }
export interface CurvesView extends Common { kind: "curves"; pictures: Partial<Record<Mode, Curves>> }
export interface TableView extends Common { kind: "table"; pictures: Partial<Record<Mode, Table>> }
export interface TimelineView extends Common { kind: "timeline"; pictures: Partial<Record<Mode, Timeline>> }
export interface SheetView extends Common { kind: "sheet"; pictures: Partial<Record<Mode, Sheet>> }
export interface SchematicView extends Common { kind: "schematic"; pictures: Partial<Record<Mode, Schematic>> }
export type View = CurvesView | TableView | TimelineView | SheetView | SchematicView;
export interface RefusalDocument { field: string; message: string; wrong: Record<string, string> }
export interface Views { modes: Mode[]; controls: Partial<Record<Mode, Record<string, number>>>; refused: Partial<Record<Mode, RefusalDocument>>; ignored: Record<string, string>; views: View[] }
export interface LedgerClaim { id: string; time_stamp: string; seconds: number; verdict: string; claim: string; board: string; lecture: string; ours: string }
export interface Ledger { claims: LedgerClaim[]; end_s: number }
export interface Prediction { prompt: string; line: string; x: number; tolerance_ratio: number; reveal: string }
export interface Step { chapter: string; time_stamp: string; link: string; board: string; view: number; sentence: string; mode: "both" | Mode; turned: Record<string, string>; terms: number; lines: string[]; claims: string[]; question: Prediction | null }
export interface Walk { steps: Step[] }
