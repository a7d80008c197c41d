// Reads an .hlog file with the reference implementation and prints what it found, for hlog_test.cpp to compare:
//   interval TAG START_MS END_MS COUNT MIN MAX P50 P90 P99 P100
//   bucket LOWEST COUNT          (each non-empty bucket of the interval above)
import java.io.File;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;

public class ReadHlog {
  public static void main(String[] args) throws Exception {
    HistogramLogReader reader = new HistogramLogReader(new File(args[0]));
    EncodableHistogram next;
    while ((next = reader.nextIntervalHistogram()) != null) {
      Histogram h = (Histogram) next;
      System.out.println("interval " + (h.getTag() == null ? "-" : h.getTag()) + " " + h.getStartTimeStamp() + " "
          + h.getEndTimeStamp() + " " + h.getTotalCount() + " " + h.getMinValue() + " " + h.getMaxValue() + " "
          + h.getValueAtPercentile(50) + " " + h.getValueAtPercentile(90) + " " + h.getValueAtPercentile(99) + " "
          + h.getValueAtPercentile(100) + " " + h.getNumberOfSignificantValueDigits() + " "
          + h.getLowestDiscernibleValue() + " " + h.getHighestTrackableValue());
      for (HistogramIterationValue v : h.recordedValues()) {
        System.out.println("bucket " + h.lowestEquivalentValue(v.getValueIteratedTo()) + " "
            + v.getCountAtValueIteratedTo());
      }
    }
    System.out.println("start " + Math.round(reader.getStartTimeSec() * 1000));
  }
}
