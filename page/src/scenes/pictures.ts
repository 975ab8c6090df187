// What the server says of scenes, as boards/scene_document.py writes it.

export interface Tick {
  at: number;
  text: string;
}

export interface Axes {
  x: { caption: string };
  y: { caption: string };
}

export interface Trains {
  period_s: number;
  seats: number;
  requests_per_dot: number;
  departures: { came: number; aboard: number; left: number; aboard_text: string; left_text: string }[];
  requests: { came_periods: number[]; train: number[]; passed: number[] };
  mean_periods: number;
  mean_text: string;
  clock: string[];
  clock_unit: string;
  clock_per_period: number;
  clock_digits: number;
  text: string;
}

export interface Chip {
  number: number;
  load: number;
  experts: number[];
}

export interface Token {
  rack: number;
  chip: number;
  near: number;
  beyond: number;
  visits: { expert: number; chip: number; rack: number }[];
}

export interface Racks {
  racks: { chips: Chip[] }[];
  heat: number[];
  copies: number[];
  slots: number;
  tokens: Token[];
  busiest: number;
  busiest_text: string;
  leaving_fraction: number;
  leaving_text: string;
  text: string;
}

export interface Cells {
  part: string;
  colour: string;
  rows: number[];
  starts: number[];
  ends: number[];
  numbers: number[];
}

export interface Kept {
  at: number[];
  level: number[];
  peak: number;
}

export interface Played {
  name: string;
  cells: Cells[];
  kept: Kept[];
  idle_at: number[];
  idle: number[];
  span: number;
  bubble_fraction: number;
  text: string;
}

export interface Gantt {
  stages: number;
  played: Played[];
  end: number;
  ticks: Tick[];
  kept: string;
  text: string;
}

export interface Small {
  name: string;
  y: number[];
  mark_x: number;
  mark_y: number;
  text: string;
}

export interface Multiples {
  chooses: string;
  x: number[];
  reference: number[];
  smalls: Small[];
  top: number;
  bottom: number;
  x_ticks: Tick[];
  y_ticks: Tick[];
  text: string;
}

export type ScenePicture = Trains | Racks | Gantt | Multiples;
