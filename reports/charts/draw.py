"""Which drawing belongs to which chart, in the two widths that the pages carry: desk or paper, and phone."""

from reports.charts.ageing import AgeingDrawing, draw_ageing
from reports.charts.behaviour import BehaviourDrawing, draw_behaviour
from reports.charts.bullets import BulletsDrawing, draw_bullets
from reports.charts.calibration import CalibrationDrawing, draw_calibration
from reports.charts.fan import FanDrawing, draw_fan
from reports.charts.funnel import FunnelDrawing, draw_funnel
from reports.charts.gantt import GanttDrawing, draw_gantt
from reports.charts.milestones import MilestonesDrawing, draw_milestones
from reports.charts.room import RoomDrawing, draw_room
from reports.charts.s_curve import SCurveDrawing, draw_s_curve
from reports.charts.six_twelve import SixTwelveDrawing, draw_six_twelve
from reports.charts.tornado import TornadoDrawing, draw_tornado
from reports.charts.waterfall import WaterfallDrawing, draw_waterfall
from reports.models.charts import Bullets, Chart, Fan, Funnel, Milestones, Room, SCurve, Tornado, Waterfall
from reports.models.working_charts import Behaviour, Calibration, Gantt, SixTwelve, WorkingChart

Drawing = (
    SCurveDrawing
    | WaterfallDrawing
    | BulletsDrawing
    | FunnelDrawing
    | FanDrawing
    | MilestonesDrawing
    | TornadoDrawing
    | GanttDrawing
    | BehaviourDrawing
    | SixTwelveDrawing
    | CalibrationDrawing
    | AgeingDrawing
    | RoomDrawing
)
WIDE, NARROW = 600.0, 340.0


def draw(chart: Chart, width: float) -> Drawing | None:
    """Return the geometry of a chart, None for a heat map, which is an HTML table."""
    low = 220.0 if width >= WIDE else 210.0
    if isinstance(chart, SCurve):
        return draw_s_curve(chart, width, 236.0 if width >= WIDE else 220.0)
    if isinstance(chart, Waterfall):
        return draw_waterfall(chart, width)
    if isinstance(chart, Bullets):
        return draw_bullets(chart, width)
    if isinstance(chart, Funnel):
        return draw_funnel(chart, width)
    if isinstance(chart, Fan):
        return draw_fan(chart, width, low)
    if isinstance(chart, Tornado):
        return draw_tornado(chart, width)
    if isinstance(chart, Room):
        return draw_room(chart, width, low)
    if isinstance(chart, Milestones):
        return draw_milestones(chart, width, 260.0 if width >= WIDE else 240.0)
    return _draw_working(chart, width, low) if isinstance(chart, WorkingChart) else None


def _draw_working(chart: WorkingChart, width: float, height: float) -> Drawing:
    if isinstance(chart, Gantt):
        return draw_gantt(chart, width)
    if isinstance(chart, Behaviour):
        return draw_behaviour(chart, width, height)
    if isinstance(chart, SixTwelve):
        return draw_six_twelve(chart, width, height)
    if isinstance(chart, Calibration):
        return draw_calibration(chart, width)
    return draw_ageing(chart, width, height + 40)
