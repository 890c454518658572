> # what lesson strategies asks in part 5: with its fuel the repetition fails, and does not end because a size is too large
> load scripts/lessons/strategies/scale.fun
scale : [N]f32 -> [N]f32
> set fuel 1000
> apply normalize(splitJoin(2))
E25 the strategy ran out of fuel: too many rewrites; does a repetition undo its own work?
  last    splitJoin at /in/in/in/in/in/in/in/in/in/in/in/in/in/in/in/in/in/in/in/in..
  spent   51 rule applications tried, 50 rewrites done
  try     set fuel 10000
> log
* @0  source
