supply [[quick_and_dirty = true]]
sorry